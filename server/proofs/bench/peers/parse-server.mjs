// parse-server on express, as its documentation shows. It hashes with bcrypt at cost 10, which cannot be set.
import express from 'express';
import { ParseServer } from 'parse-server';

const { DATABASE_URL: databaseURI, PORT: port, SECRET: masterKey } = process.env;
const parse = new ParseServer({
  databaseURI,
  appId: 'bench',
  masterKey,
  serverURL: `http://127.0.0.1:${port}/parse`,
  silent: true,
  logsFolder: null,
});
await parse.start();

const app = express();
app.use('/parse', parse.app);
app.listen(Number(port), '127.0.0.1', () => process.send({ pid: process.pid }));
process.once('disconnect', () => process.exit());
