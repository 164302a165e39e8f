// What a spreadsheet reads from an exported file.
import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test.each([
  [['Ada', 'Lovelace'], 'Ada,Lovelace'],
  [[-170, 0, true, null, undefined], '-170,0,true,,'],
  [['a,b', 'say "hi"', 'two\nlines'], '"a,b","say ""hi""","two\nlines"'],
  [['=1+1'], "'=1+1"],
  [['=HYPERLINK("https://evil.example","x")'], '"\'=HYPERLINK(""https://evil.example"",""x"")"'],
  [['+49 30 1234', '-1', '@SUM(A1)'], "'+49 30 1234,'-1,'@SUM(A1)"],
  [[' =1', '\t=1', '\r=1'], "' =1,'\t'=1,\"'\r'=1\""],
  [['＝1'], "'＝1"],
  [['a;=1', 'a; +1;-2', 'a\t@SUM(A1)', 'a;b'], "a;'=1,a; '+1;'-2,a\t'@SUM(A1),a;b"],
  [['a\n=1', 'a;"=1'], '"a\n\'=1","a;""\'=1"'],
  [['a=b', '1-2', 'ada@example.com'], 'a=b,1-2,ada@example.com'],
])('%j is written as %j', (values, line) => {
  expect(csvLine(values)).toBe(`${line}\r\n`);
});
