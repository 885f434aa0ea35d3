import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { access, constants, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigFault } from '#kit/server/config.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

/**
 * Builds the portal unless these very sources have been built already, and answers the build's folder: `client/` and `server/`.
 * The folder is named after its sources and appears whole or not at all, so two processes may build at once. Nothing is written
 * where it is there: who runs the product needs no right to.
 * @throws ConfigFault when it is to be built by somebody who may not write here
 */
export async function buildPortal(): Promise<string> {
  const target = await portalFolder()
  if (await exists(target)) return target
  await mustWrite()
  const draft = join(dist, `.building-${process.pid}-${Date.now()}`)
  try {
    await bundle(draft)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Another process may have been first; its build is the same.
    if (!(await exists(target))) throw error
  }
  await removeOld(target)
  return target
}

/** Where the build of these very sources is, or will be. */
export const portalFolder = async (): Promise<string> => join(dist, `portal-${await fingerprint()}`)

async function mustWrite(): Promise<void> {
  try {
    await mkdir(dist, { recursive: true })
    await access(dist, constants.W_OK)
  } catch {
    throw new ConfigFault([
      `The portal is not built, and this user may not write to ${dist}: npm run build, as one who may, comes before the start.`,
    ])
  }
}

async function bundle(folder: string): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'app/build/bundle.ts'), folder], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('The portal could not be built; the reason is above.')
}

/** Drops what is left of earlier builds. A build is not read after starting, so an hour is plenty. */
async function removeOld(current: string): Promise<void> {
  for (const name of await readdir(dist)) {
    const folder = join(dist, name)
    const made = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    )
    const old = folder !== current && /^(portal-|\.building-)/.test(name) && Date.now() - made > 3_600_000
    if (old) await rm(folder, { recursive: true, force: true })
  }
}

const sources = [
  'app/web',
  'app/build',
  'app/render',
  'app/pages.ts',
  'features',
  'kit/contract',
  'kit/web',
  'vite.config.ts',
  'package-lock.json',
]
// What only the server runs, and tests, are no part of the portal.
const foreign = /[\\/]server[\\/]|\.test\.tsx?$/

/** One value for everything a build is made of. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256')
  for (const name of await filesOf(sources)) {
    hash.update(`\0${name}\0`).update(await readFile(join(root, name)))
  }
  return hash.digest('hex').slice(0, 12)
}

async function filesOf(names: string[]): Promise<string[]> {
  const found: string[] = []
  for (const name of names) {
    const entries = await readdir(join(root, name), { recursive: true, withFileTypes: true }).catch(() => null)
    if (!entries) found.push(name)
    for (const entry of entries ?? []) {
      if (entry.isFile()) found.push(join(entry.parentPath, entry.name).slice(root.length + 1))
    }
  }
  return found.filter((name) => !foreign.test(name)).sort()
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

if (import.meta.main) {
  await buildPortal().then(
    (folder) => console.log(`The portal is in ${folder}`),
    (error: Error) => {
      console.error(error.message)
      process.exitCode = 1
    },
  )
}
