import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import type { Brand, Layout, Market } from '#kit/contract/bootstrap.ts'
import type { BrandAssets } from '#kit/contract/brand.ts'
import { ConfigError } from '#kit/server/config.ts'
import { type JsonFile, parseJsonFile, type ReportFault } from '#kit/server/config/json-file.ts'
import { defaultMapping, type NetworkMapping, networkMappingSchema } from '#providers/network/mapping.ts'
import type { Issuer } from '#features/invoices/server/invoices.store.ts'
import type { Catalogue } from '#features/plans/server/plans.store.ts'
import { type BrandFile, parseBrand } from './brand.ts'
import { type Donor, parseCatalogue, parseDonors } from './catalogue.ts'
import { decodeUtf8 } from './decode-utf8.ts'
import { hasFile, type JsonFileName, listUnknownFiles, openFolderJson, readFileBytes } from './folder-files.ts'
import { parseLayout } from './layout.ts'
import { findPngFault } from './png.ts'
import { parseSensitiveNumbers } from './sensitive-numbers.ts'
import { findSvgFaults } from './svg.ts'

export type Provider = {
  brand: Brand
  look: BrandAssets
  issuer: Issuer
  securityContact: string | null
  orderPrefix: string
  layout: Layout
  donors: Donor[]
  /** Numbers of helplines, as written in the file. They never appear in a customer's usage. */
  sensitiveNumbers: string[]
  network: NetworkMapping
}

export const iconSizes = [180, 192, 512] as const

export type FolderCatalogue = { catalogue: Catalogue } | { faults: string[] }

/**
 * Reads and validates a provider's folder (docs/branding.md).
 * @throws ConfigError that lists every fault in every file
 */
export function readProvider(folder: string, market: Market): Provider & { catalogue: Catalogue } {
  const { provider, goods } = readProviderFolder(folder, market)
  if ('faults' in goods) throw new ConfigError(goods.faults)
  return { ...provider, ...goods }
}

/**
 * Reads a provider's folder at start-up. Faults in plans, add-ons and filters are returned rather than thrown, because
 * the database may already hold a usable catalogue.
 * @throws ConfigError that lists every fault in every file, if any other file has a fault
 */
export function readProviderFolder(folder: string, market: Market): { provider: Provider; goods: FolderCatalogue } {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new ConfigError([`PROVIDER_DIR: there is no folder ${folder}.`])
  const faults: { line: string; isOfCatalogue: boolean }[] = []
  const fault: ReportFault = (line) => void faults.push({ line, isOfCatalogue: false })
  const reportCatalogueFault: ReportFault = (line) => void faults.push({ line, isOfCatalogue: true })
  const place = { folder, market: market.code }
  const parseFile = <T>(name: JsonFileName, parse: (file: JsonFile) => T | null): T | null => {
    const file = openFolderJson(place, name, fault)
    return file && parse(file)
  }

  const brand = parseFile('brand.json', (file) => parseBrand(file, market))
  const layout = parseFile('layout.json', parseLayout)
  const network = hasFile(place, 'network.json')
    ? parseFile('network.json', (file) => parseJsonFile(file, networkMappingSchema))
    : defaultMapping
  const catalogue = parseCatalogue((name) => openFolderJson(place, name, reportCatalogueFault))
  const donors = parseFile('porting-providers.json', (file) => parseDonors(file, market.code))
  const sensitiveNumbers = parseFile('sensitive-numbers.json', (file) => parseSensitiveNumbers(file, market.code))
  const imageNames = brand ?? { mark: 'mark.svg', icon: 'icon.svg' }
  const brandImages = readBrandImages(imageNames, (file) => readFileBytes(folder, file, fault), fault)
  for (const name of listUnknownFiles(folder)) fault(`${name}: is unknown. Rename or remove this file.`)
  const lines = faults.map(({ line }) => line)
  if (
    !brand ||
    !layout ||
    !donors ||
    !sensitiveNumbers ||
    !network ||
    faults.some(({ isOfCatalogue }) => !isOfCatalogue)
  )
    throw new ConfigError(lines)

  return {
    provider: { ...joinBrand(brand, brandImages), layout, donors, sensitiveNumbers, network },
    goods: catalogue && lines.length === 0 ? { catalogue } : { faults: lines },
  }
}

function joinBrand(
  { issuer, securityContact, orderPrefix, colours, icon: _icon, mark: _mark, ...names }: BrandFile,
  { mark, files }: ReturnType<typeof readBrandImages>,
): Pick<Provider, 'brand' | 'look' | 'issuer' | 'securityContact' | 'orderPrefix'> {
  return { brand: { ...names, mark }, look: { colours, files }, issuer, securityContact, orderPrefix }
}

/** Logos up to this size in bytes are inlined in each page, because a separate request's headers alone would be as long. */
const maxInlineBytes = 2_048

function readBrandImages(
  { mark, icon }: Pick<BrandFile, 'mark' | 'icon'>,
  bytesOf: (file: string) => Buffer | null,
  fault: ReportFault,
): { mark: string; files: BrandAssets['files'] } {
  const readCheckedFile = (file: string, faultsOf: (body: Buffer) => string[]): Buffer => {
    const body = bytesOf(file)
    for (const line of body ? faultsOf(body) : []) fault(`${file}: ${line}`)
    return body ?? Buffer.alloc(0)
  }
  const readSvg = (file: string): Buffer =>
    readCheckedFile(file, (body) => {
      const decoded = decodeUtf8(body)
      return 'fault' in decoded ? [decoded.fault] : findSvgFaults(decoded.text)
    })
  const readPng = (size: number): Buffer =>
    readCheckedFile(icon.replace(/\.svg$/, `-${size}.png`), (body) => [findPngFault(body, size) ?? []].flat())
  const [body, picture] = [readSvg(mark), readSvg(icon)]
  const icons = new Map([
    ['icon.svg', picture],
    ...iconSizes.map((size) => [`icon-${size}.png`, readPng(size)] as const),
  ])
  if (body.length <= maxInlineBytes)
    return { mark: `data:image/svg+xml,${encodeURIComponent(body.toString('utf8'))}`, files: icons }
  // The logo's file name contains a hash of its content, so browsers may cache the file forever.
  const name = `mark-${createHash('sha256').update(body).digest('hex').slice(0, 8)}.svg`
  return { mark: `/static/brand/${name}`, files: new Map([[name, body], ...icons]) }
}
