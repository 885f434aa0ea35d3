import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type JsonFile, openJson, type ReportFault } from '#kit/server/config/json-file.ts'
import { decodeUtf8 } from './decode-utf8.ts'

const jsonFileNames = [
  'brand.json',
  'layout.json',
  'plans.json',
  'add-ons.json',
  'filters.json',
  'porting-providers.json',
  'sensitive-numbers.json',
  'network.json',
] as const
export type JsonFileName = (typeof jsonFileNames)[number]

/** Lists JSON files that the product does not read, for example because their names are misspelt. Hidden files of editors are left out. */
export const listUnknownFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /^[^.].*\.json$/i.test(name) && !isKnown(name))
    .sort()

const isKnown = (name: string): boolean =>
  jsonFileNames.some((known) => name.replace(/\.(?:NZ|AU)\.json$/, '.json') === known)

/** Returns the name of the file for one market, such as `add-ons.AU.json`, or `null` if the folder has none. */
function findMarketFile(folder: string, name: JsonFileName, market: string): string | null {
  const own = name.replace(/json$/, `${market}.json`)
  return existsSync(join(folder, own)) ? own : null
}

type Folder = { folder: string; market: string }

export const hasFile = ({ folder, market }: Folder, name: JsonFileName): boolean =>
  findMarketFile(folder, name, market) !== null || existsSync(join(folder, name))

/** Opens a JSON file, or the file that replaces it in the market. Returns `null` after reporting a file that is unreadable or not UTF-8. */
export function openFolderJson({ folder, market }: Folder, name: JsonFileName, fault: ReportFault): JsonFile | null {
  const file = findMarketFile(folder, name, market) ?? name
  const text = readFileText(folder, file, fault)
  return text === null ? null : openJson(file, text, fault)
}

function readFileText(folder: string, file: string, fault: ReportFault): string | null {
  const bytes = readFileBytes(folder, file, fault)
  if (!bytes) return null
  const decoded = decodeUtf8(bytes)
  if ('text' in decoded) return decoded.text
  fault(`${file}: ${decoded.fault}`)
  return null
}

export function readFileBytes(folder: string, file: string, fault: ReportFault): Buffer | null {
  try {
    return readFileSync(join(folder, file))
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    fault(`${file}: ${isMissing ? 'is missing.' : 'cannot be read.'}`)
    return null
  }
}
