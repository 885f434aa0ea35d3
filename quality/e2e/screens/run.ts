import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from '#quality/support/chromium.ts'
import { renderScreenIndex, type Shown } from './screen-index.ts'
import { folderVariableName } from './screenshots.ts'

/*
 * `npm run screens [filter]` checks every screen in all sizes and in both colour schemes, or only those whose area and name contain the
 * filter text. It makes the same checks as `npm test`, and saves screenshots and an `index.html` in `screens/`.
 */

type Report = {
  testResults: {
    message: string
    assertionResults: { ancestorTitles: string[]; title: string; status: string; failureMessages: string[] }[]
  }[]
}

const maxMinutes = 45
const root = join(import.meta.dirname, '../../..')
const folder = join(root, 'screens')
const filter = process.argv.slice(2).join(' ')
const scratchFolder = mkdtempSync(join(tmpdir(), 'fantail-screens-'))
const report = join(scratchFolder, 'report.json')

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
    ...(filter ? ['-t', escapeRegExp(filter)] : []),
  ],
  {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, CHROMIUM_PATH: await findChromium(), [folderVariableName]: folder },
    timeout: maxMinutes * 60_000,
    shell: process.platform === 'win32',
  },
)
const [code] = await once(child, 'exit')
const { testResults } = readReport()
rmSync(scratchFolder, { recursive: true, force: true })

const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
const screens = tests.map(({ ancestorTitles: [area = ''], title, failureMessages }): Shown => ({
  area,
  name: title,
  faults: failureMessages,
}))
writeFileSync(join(folder, 'index.html'), renderScreenIndex(folder, screens))

const finishedTests = tests.filter(({ status }) => status === 'passed' || status === 'failed')
const faultyScreens = screens.filter(({ faults }) => faults.length > 0)
for (const { area, name, faults } of faultyScreens) console.log(`✗ ${area}: ${name}\n  ${faults.join('\n  ')}`)
console.log(
  `\n${finishedTests.length} screens looked at, ${faultyScreens.length} with faults: ${join(folder, 'index.html')}`,
)
if (finishedTests.length === 0)
  console.log(filter ? `No screen’s name contains “${filter}”.` : 'No screen was checked.')
process.exitCode = code === 0 && faultyScreens.length === 0 && finishedTests.length > 0 ? 0 : 1

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function readReport(): Report {
  try {
    return JSON.parse(readFileSync(report, 'utf8')) as Report
  } catch {
    return { testResults: [] }
  }
}
