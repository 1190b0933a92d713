// Runs two files of SQL, and prints the rows of a third.
import { DuckDBInstance } from '@duckdb/node-api';
import { readFileSync } from 'node:fs';
const connection = await (await DuckDBInstance.create()).connect();
const [macros, setup, cases] = process.argv.slice(2).map((path) => readFileSync(path, 'utf8'));
await connection.run(macros);
await connection.run(setup);
const reader = await connection.runAndReadAll(cases);
for (const row of reader.getRows()) console.log(row.join('\t'));
