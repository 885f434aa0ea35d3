import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '#kit/server/config.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

/** An older one would have more days to live through than making a new one takes. */
const longestDays = 3

/** Where the template of these very sources is, or will be: a data folder of a demo whose customers have lived up to its day. */
export const templateFolder = (): string => join(dist, `demo-${fingerprint()}`)

/**
 * Gives a first start of the demo the past that another has lived through, when the product was installed (`demo/make-template.ts`).
 * What is not there, is too old, or is for another world than the usual one, is lived through as ever.
 */
export function beginFromTemplate(config: Config, findTemplate = templateFolder): void {
  const { dataDir } = config
  if (!isUsual(config) || !isNothing(dataDir) || !existsSync(dist)) return
  const template = findTemplate()
  if (!existsSync(template) || Date.now() - statSync(join(template, 'pg')).mtimeMs > longestDays * 86_400_000) return
  const draft = join(dirname(dataDir), `.demo-unfinished-${process.pid}`)
  try {
    cpSync(template, draft, { recursive: true })
    if (existsSync(dataDir)) rmdirSync(dataDir)
    // It has its name once it is whole.
    renameSync(draft, dataDir)
  } catch {
    // Another process was first, or the folder is one that cannot be replaced: then it takes longer.
    rmSync(draft, { recursive: true, force: true })
  }
}

/** The demo as it is without a setting, but for where it is found. */
const isUsual = ({
  mode,
  databaseUrl,
  demoCustomers,
  providerDir,
  market,
  card,
  mail,
  sms,
  secretKey,
}: Config): boolean =>
  mode === 'demo' &&
  databaseUrl === null &&
  demoCustomers === 'all' &&
  providerDir === null &&
  market.code === 'NZ' &&
  [card, mail, sms, secretKey].every((setting) => setting === null)

const isNothing = (folder: string): boolean => !existsSync(folder) || readdirSync(folder).length === 0

/** One value for all that makes a demo's data what it is. */
function fingerprint(): string {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  const paths = globSync('{app,db,demo,desk,features,kit,providers,simulators}/**/*.{ts,sql,json}', { cwd: root })
  for (const path of paths.filter((each) => !/\.test\.tsx?$|[\\/]web[\\/]/.test(each)).sort())
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)))
  return hash.digest('hex').slice(0, 12)
}
