/**
 * The program behind `npm run vulnerabilities`. It asks the registry for known vulnerabilities in the packages that Fantail uses at run
 * time, and fails if any of them is severe.
 */
import { spawnSync } from 'node:child_process'
import { readAudit } from './audit-report.ts'

const npm = process.env['npm_execpath']
if (!npm) throw new Error('Run it as `npm run vulnerabilities`: it asks through npm.')
const { stdout } = spawnSync(
  process.execPath,
  [npm, 'audit', '--omit=dev', '--json', '--fetch-retries=1', '--fetch-timeout=20000'],
  { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
)
const { lines, isBad } = readAudit(stdout)
console.log(lines.join('\n'))
process.exitCode = isBad ? 1 : 0
