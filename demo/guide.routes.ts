import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Brand, Market } from '#kit/contract/bootstrap.ts'
import type { Colours } from '#kit/contract/brand.ts'
import { getCoveredCountries } from '#kit/contract/countries.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { escapeHtml } from '#kit/server/escape-html.ts'
import { createBrandStyleSheet } from '#app/render/brand.ts'
import { numberNeedingPortCode } from './fixtures.ts'

const folder = join(import.meta.dirname, 'guide')

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

/** Serves the demo's guide. Every file has its own fixed route, so no crafted path can reach any other file. */
export function guideRoutes(app: FastifyInstance, { colours, ...context }: GuideContext & { colours: Colours }): void {
  const serveFile = (path: string, name: string, body: string): void => {
    const type = contentTypes[extname(name)] ?? 'application/octet-stream'
    app.get(path, (_request, reply) => reply.header('cache-control', 'no-store').type(type).send(body))
  }
  serveFile('/demo/guide/brand.css', 'brand.css', createBrandStyleSheet(colours))
  for (const [path, name] of listGuidePaths(readdirSync(folder)))
    serveFile(path, name, fillGuideTemplate(readFileSync(join(folder, name), 'utf8'), context))
}

export type GuideContext = Pick<Market, 'code'> & {
  deskUrl: string | null
  brand: Pick<Brand, 'name' | 'shortName' | 'mark'>
}

export const fillGuideTemplate = (text: string, { code, deskUrl, brand }: GuideContext): string =>
  fillDeskSections(text, deskUrl)
    .replaceAll('{{brand}}', () => escapeHtml(brand.name))
    .replaceAll('{{short brand}}', () => escapeHtml(brand.shortName))
    .replaceAll('{{brand mark}}', () => escapeHtml(brand.mark))
    .replaceAll('{{market}}', code)
    .replaceAll('{{old SIM number}}', code === 'NZ' ? '8964031234567890123' : '8961031234567890123')
    .replaceAll('{{both countries}}', getCoveredCountries({ code }))
    .replaceAll('{{how a number moves}}', transferGuide[code].how)
    .replaceAll('{{who answers}}', transferGuide[code].who)

const fillDeskSections = (text: string, deskUrl: string | null): string =>
  text
    .split('{{:desk}}')
    .map((part) => {
      const [before = '', about = ''] = part.split('{{desk:}}')
      return before + (deskUrl === null ? '' : about.replaceAll('{{desk address}}', escapeHtml(deskUrl)))
    })
    .join('')

const transferGuide = {
  NZ: {
    how: 'Keep the old SIM in your phone until a text asks you to confirm the move. Reply ‘Yes’ within 2 hours, then insert the new SIM.',
    who: 'In the demo, you don’t have to reply.',
  },
  AU: {
    how: 'Keep the old SIM in your phone until a text with a code arrives on it. Enter the code within 2 hours, then insert the new SIM.',
    who: `In the demo, only ${formatNational(numberNeedingPortCode)} needs a code, which arrives in the mailbox.`,
  },
}

/** Lists the paths of the guide's files, without the tests and type declarations in the same folder, which are not served. */
const listGuidePaths = (names: string[]): [path: string, name: string][] => [
  ['/demo/', 'guide.html'],
  ['/demo/mailbox/', 'mailbox.html'],
  ...names
    .filter((name) => /^[a-z-]+\.(?:css|js)$/.test(name))
    .map((name): [string, string] => [`/demo/guide/${name}`, name]),
]
