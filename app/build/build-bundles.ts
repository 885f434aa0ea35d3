import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { access, constants, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '#kit/server/config.ts'

const root = join(import.meta.dirname, '../..')
const dist = join(root, 'dist')

export type Bundle = {
  name: 'portal' | 'desk'
  config: string
  sources: readonly string[]
  foreign: RegExp
}

const startedBuilds = new Map<Bundle['name'], Promise<string>>()

export function startBuilds(bundles: readonly Bundle[]): void {
  const all = buildMissingBundles(bundles)
  for (const { name } of bundles) {
    const one = all.then((folders) => folders[name] ?? '')
    one.catch(() => {})
    startedBuilds.set(name, one)
  }
}

/**
 * Builds a bundle unless a build of the same sources exists. Returns the build's folder, which contains `client/` and `server/`. The folder
 * is named after a hash of the sources and appears only once it is complete, so two processes can build at the same time. If the build
 * exists, nothing is written, so the application can run without write access.
 * @throws ConfigError if a build is needed and the current user cannot write to the folder
 */
export const buildBundle = (bundle: Bundle): Promise<string> =>
  startedBuilds.get(bundle.name) ?? buildMissingBundles([bundle]).then((folders) => folders[bundle.name] ?? '')

type PendingBuild = { bundle: Bundle; folder: string; target: string }

async function buildMissingBundles(bundles: readonly Bundle[]): Promise<Record<string, string>> {
  const pendingBuilds = await Promise.all(bundles.map(prepareBuild))
  const missingBuilds: PendingBuild[] = []
  for (const draft of pendingBuilds) if (!(await exists(draft.target))) missingBuilds.push(draft)
  if (missingBuilds.length > 0) {
    await checkOutputWritable(missingBuilds)
    try {
      await runBundler(missingBuilds)
      for (const { folder, target } of missingBuilds) await publishBuild(folder, target)
    } finally {
      for (const { folder } of missingBuilds) await rm(folder, { recursive: true, force: true })
    }
    await removeOldBuilds(pendingBuilds)
  }
  return Object.fromEntries(pendingBuilds.map(({ bundle: { name }, target }) => [name, target]))
}

async function prepareBuild(bundle: Bundle): Promise<PendingBuild> {
  const folder = join(dist, `.building-${bundle.name}-${process.pid}-${Date.now()}`)
  return { bundle, folder, target: await getBuildFolder(bundle) }
}

export const getBuildFolder = async (bundle: Bundle): Promise<string> =>
  join(dist, `${bundle.name}-${await fingerprint(bundle)}`)

/** Renames a finished build's folder to its final name. A different process may have published the same build first. */
async function publishBuild(folder: string, target: string): Promise<void> {
  await rename(folder, target).catch(async (error: unknown) => {
    if (!(await exists(target))) throw error
  })
}

const describeBundles = (drafts: readonly PendingBuild[]): string =>
  drafts.map(({ bundle: { name } }) => `the ${name}`).join(' and ')

async function checkOutputWritable(missing: readonly PendingBuild[]): Promise<void> {
  try {
    await mkdir(dist, { recursive: true })
    await access(dist, constants.W_OK)
  } catch {
    const bundleNames = describeBundles(missing).replace('the', 'The')
    throw new ConfigError([
      `${bundleNames} ${missing.length > 1 ? 'are' : 'is'} not built, and this user may not write to ${dist}: ` +
        'run `npm run build` first, as a user who may write there.',
    ])
  }
}

async function runBundler(drafts: readonly PendingBuild[]): Promise<void> {
  const bundleArguments = drafts.flatMap(({ bundle: { config }, folder }) => [config, folder])
  const child = spawn(process.execPath, [join(root, 'app/build/bundle.ts'), ...bundleArguments], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  // If the server fails to start while the build is running, the build process must be stopped too.
  const end = (): void => void child.kill()
  process.once('exit', end)
  const [code] = await once(child, 'exit')
  process.off('exit', end)
  if (code !== 0)
    throw new Error(`${describeBundles(drafts).replace('the', 'The')} could not be built; the reason is above.`)
}

/**
 * Removes earlier builds once they are an hour old. Running servers no longer need them, because a server reads its
 * build only when it starts.
 */
async function removeOldBuilds(drafts: readonly PendingBuild[]): Promise<void> {
  const names = drafts.map(({ bundle: { name } }) => name).join('|')
  const currentFolders = drafts.map(({ target }) => target)
  for (const name of await readdir(dist)) {
    const folder = join(dist, name)
    const modifiedAt = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    )
    const isOldBuild = new RegExp(`^(?:${names}|\\.building)-`).test(name) && !currentFolders.includes(folder)
    if (isOldBuild && Date.now() - modifiedAt > 3_600_000) await rm(folder, { recursive: true, force: true })
  }
}

async function fingerprint({ sources, foreign }: Bundle): Promise<string> {
  const hash = createHash('sha256')
  for (const name of await listFiles(sources)) {
    if (!foreign.test(name)) hash.update(`\0${name}\0`).update(await readFile(join(root, name)))
  }
  return hash.digest('hex').slice(0, 12)
}

async function listFiles(names: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const name of names) {
    const entries = await readdir(join(root, name), { recursive: true, withFileTypes: true }).catch(() => null)
    if (!entries) found.push(name)
    for (const entry of entries ?? []) {
      if (entry.isFile()) found.push(join(entry.parentPath, entry.name).slice(root.length + 1))
    }
  }
  return found.sort()
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

export async function buildAndReport(bundles: readonly Bundle[]): Promise<void> {
  try {
    const folders = await buildMissingBundles(bundles)
    for (const { name } of bundles) console.log(`The ${name} is in ${folders[name]}`)
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
