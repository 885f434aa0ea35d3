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
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Config, defaultStepMs } from '#kit/server/config.ts'
import type { Db } from '#kit/server/db.ts'
import { withTimeouts, bulkTimeouts } from '#kit/server/database-timeouts.ts'
import { fillDatabase } from './template-rows.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

/**
 * Maximum age of a template in days. Bringing an older template up to date would take longer than creating the demo's past from scratch.
 */
const maxAgeDays = 3

export const rowsFile = 'rows.json'
/** The name of a file that marks a data folder whose database has not been filled yet. */
const databasePendingMarker = 'unfilled'

export const templateFolder = (): string => join(dist, `demo-${fingerprint()}`)

/**
 * Copies the prepared demo into an empty data folder. If there is no usable template, or the settings are unusual, nothing is copied and
 * the demo's past is created at startup.
 */
export function copyTemplate(config: Config, findTemplate = templateFolder): void {
  const { dataDir, databaseUrl } = config
  const template = databaseUrl === null && isMissingOrEmpty(dataDir) ? findUsableTemplate(config, findTemplate) : null
  if (!template) return
  const draft = getDraftFolder(dataDir)
  try {
    copyFolderExcept([rowsFile], template, draft)
    renameDraft(draft, dataDir)
  } catch {
    // If another process got there first, or the folder cannot be replaced, the demo's past is created at startup instead.
    rmSync(draft, { recursive: true, force: true })
  }
}

export async function fillFromTemplate(db: Db, config: Config, findTemplate = templateFolder): Promise<void> {
  const { dataDir, databaseUrl, migrationDatabaseUrl, role } = config
  const isUsableDatabase = databaseUrl !== null && migrationDatabaseUrl === null && role === 'all'
  const isInterrupted = existsSync(join(dataDir, databasePendingMarker))
  const template =
    isUsableDatabase && (isInterrupted || isMissingOrEmpty(dataDir)) ? findUsableTemplate(config, findTemplate) : null
  if (!template || !existsSync(join(template, rowsFile))) return
  const draft = getDraftFolder(dataDir)
  try {
    const rows = JSON.parse(readFileSync(join(template, rowsFile), 'utf8'))
    copyFolderExcept(['pg', rowsFile], template, draft)
    writeFileSync(join(draft, databasePendingMarker), '')
    await withTimeouts(bulkTimeouts, () =>
      fillDatabase(db, rows, () => {
        if (isInterrupted) rmSync(dataDir, { recursive: true })
        renameDraft(draft, dataDir)
      }),
    )
    rmSync(join(dataDir, databasePendingMarker), { force: true })
  } catch (error) {
    console.log(`The prepared demo can’t be used: ${String(error)}`)
    if (existsSync(join(dataDir, databasePendingMarker))) rmSync(dataDir, { recursive: true })
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

function findUsableTemplate(config: Config, findTemplate: () => string): string | null {
  if (!hasDefaultSettings(config) || !existsSync(dist)) return null
  const template = findTemplate()
  if (!existsSync(template)) return null
  return Date.now() - statSync(join(template, 'pg')).mtimeMs > maxAgeDays * 86_400_000 ? null : template
}

const getDraftFolder = (dataDir: string): string => join(dirname(dataDir), `.demo-unfinished-${process.pid}`)

const copyFolderExcept = (left: string[], template: string, draft: string): void =>
  cpSync(template, draft, {
    recursive: true,
    filter: (from) => dirname(from) !== template || !left.includes(basename(from)),
  })

function renameDraft(draft: string, dataDir: string): void {
  if (existsSync(dataDir)) rmdirSync(dataDir)
  renameSync(draft, dataDir)
}

const hasDefaultSettings = ({
  mode,
  demoCustomers,
  demoStepMs,
  providerDir,
  market,
  card,
  mail,
  sms,
  secretKey,
}: Config): boolean =>
  mode === 'demo' &&
  demoCustomers === 'all' &&
  demoStepMs === defaultStepMs &&
  providerDir === null &&
  market.code === 'NZ' &&
  [card, mail, sms, secretKey].every((setting) => setting === null)

const isMissingOrEmpty = (folder: string): boolean => !existsSync(folder) || readdirSync(folder).length === 0

function fingerprint(): string {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  const paths = globSync('{app,db,demo,desk,features,kit,providers,simulators}/**/*.{ts,sql,json}', { cwd: root })
  for (const path of paths.filter((each) => !/\.test\.tsx?$|[\\/]web[\\/]/.test(each)).sort())
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)))
  return hash.digest('hex').slice(0, 12)
}
