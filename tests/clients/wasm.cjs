// Runs two files of SQL in DuckDB-WASM, and prints the rows of a third.
const { NODE_RUNTIME, VoidLogger, createDuckDB } = require('@duckdb/duckdb-wasm/dist/duckdb-node-blocking.cjs');
const { readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

async function main() {
  const folder = dirname(require.resolve('@duckdb/duckdb-wasm/dist/duckdb-node-blocking.cjs'));
  const bundle = (name) => ({ mainModule: join(folder, `duckdb-${name}.wasm`), mainWorker: '' });
  const database = await createDuckDB({ mvp: bundle('mvp'), eh: bundle('eh') }, new VoidLogger(), NODE_RUNTIME);
  await database.instantiate();
  const connection = database.connect();
  const [macros, setup, cases] = process.argv.slice(2).map((path) => readFileSync(path, 'utf8'));
  connection.query(macros);
  connection.query(setup);
  for (const row of connection.query(cases)) console.log(row.line);
}

main();
