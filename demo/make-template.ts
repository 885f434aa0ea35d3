import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '#kit/server/db.ts'
import { rowsFile, templateFolder } from './template.ts'
import { readRows } from './template-rows.ts'

/*
 * npm's install script runs this file. It builds the portal and has a demo create its customers' past, so that the first start is quick. It
 * never makes the installation fail: if something goes wrong here, the first start does the work instead and takes longer.
 */

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const maxStartMs = 240_000

/** Skip this if the development dependencies are missing. A production server, for example, needs no demo. */
const isDemoNeeded = !/\bdev\b/.test(process.env['npm_config_omit'] ?? '') && process.env['NODE_ENV'] !== 'production'

if (isDemoNeeded)
  await makeTemplate().catch((error: unknown) => console.log(`The demo could not be prepared: ${String(error)}`))

async function makeTemplate(): Promise<void> {
  const target = templateFolder()
  if (existsSync(target)) return
  mkdirSync(dist, { recursive: true })
  const draft = mkdtempSync(join(dist, '.demo-unfinished-'))
  try {
    await runDemoOnce(join(draft, 'data'))
    rmSync(join(draft, 'data', 'operator.sock'), { force: true })
    await writeRows(join(draft, 'data'))
    for (const old of globSync('demo-*', { cwd: dist })) rmSync(join(dist, old), { recursive: true, force: true })
    renameSync(join(draft, 'data'), target)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

async function writeRows(dataDir: string): Promise<void> {
  const { db, close } = await openDatabase({ folder: dataDir })
  try {
    writeFileSync(join(dataDir, rowsFile), JSON.stringify(await readRows(db)))
  } finally {
    await close()
  }
}

async function runDemoOnce(dataDir: string): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'app/main.ts')], {
    env: { ...process.env, MODE: 'demo', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error', DESK_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const killTimer = setTimeout(() => child.kill('SIGKILL'), maxStartMs)
  const exitPromise = once(child, 'exit')
  try {
    const readyPromise = new Promise<true>((resolve) => {
      let said = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (said.includes('Fantail is ready')) resolve(true)
      })
    })
    if ((await Promise.race([readyPromise, exitPromise])) !== true) throw new Error('it did not start')
    child.kill('SIGTERM')
    await exitPromise
  } finally {
    clearTimeout(killTimer)
    child.kill('SIGKILL')
  }
}
