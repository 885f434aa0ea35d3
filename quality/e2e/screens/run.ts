import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from '#quality/support/chromium.ts'
import { albumOf, type Shown } from './album.ts'
import { wanted } from './pictures.ts'

// `npm run screens [part of a name]` checks every screen, or those whose area and name contain that text, in all sizes and in both colour
// schemes, with the checks of `npm test`. It leaves a picture of each in `screens/`, and `screens/index.html`.

type Report = {
  testResults: {
    message: string
    assertionResults: { ancestorTitles: string[]; title: string; status: string; failureMessages: string[] }[]
  }[]
}

const minutes = 45
const root = join(import.meta.dirname, '../../..')
const folder = join(root, 'screens')
const filter = process.argv.slice(2).join(' ')
const scratch = mkdtempSync(join(tmpdir(), 'fantail-screens-'))
const report = join(scratch, 'report.json')

if (!filter) rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

const child = spawn(
  'vitest',
  [
    'run',
    '--project',
    'browser',
    'quality/e2e/screens/',
    '--reporter=verbose',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...(filter ? ['-t', literally(filter)] : []),
  ],
  {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, CHROMIUM_PATH: await findChromium(), [wanted]: folder },
    timeout: minutes * 60_000,
    shell: process.platform === 'win32',
  },
)
const [code] = await once(child, 'exit')
const { testResults } = readReport()
rmSync(scratch, { recursive: true, force: true })

const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
const screens = tests.map(({ ancestorTitles: [area = ''], title, failureMessages }): Shown => ({
  area,
  name: title,
  faults: failureMessages,
}))
writeFileSync(join(folder, 'index.html'), albumOf(folder, screens))

const looked = tests.filter(({ status }) => status === 'passed' || status === 'failed')
const faulty = screens.filter(({ faults }) => faults.length > 0)
for (const { area, name, faults } of faulty) console.log(`✗ ${area}: ${name}\n  ${faults.join('\n  ')}`)
console.log(`\n${looked.length} screens looked at, ${faulty.length} with faults: ${join(folder, 'index.html')}`)
if (looked.length === 0)
  console.log(filter ? `No screen has “${filter}” in its name.` : 'There was nothing to look at.')
process.exitCode = code === 0 && faulty.length === 0 && looked.length > 0 ? 0 : 1

function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function readReport(): Report {
  try {
    return JSON.parse(readFileSync(report, 'utf8')) as Report
  } catch {
    return { testResults: [] }
  }
}
