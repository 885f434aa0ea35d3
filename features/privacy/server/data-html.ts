import type { Market } from '#kit/contract/bootstrap.ts'
import { formatMomentWithoutZone } from '#kit/contract/format-moment.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { getZoneName } from '#kit/contract/zone-name.ts'
import { escapeHtml } from '#kit/server/escape-html.ts'
import type { ExportPart } from '#features/customers/server/customers.deps.ts'

const sectionHeadings: Readonly<Record<string, string>> = {
  person: 'You',
  saved_card: 'Your saved card',
  numbers: 'Your numbers',
  use: 'Your latest usage from the network',
  acts: 'What happened in your account',
  messages: 'Emails and texts we sent you',
  documents: 'Invoices and credit notes',
  activations: 'SIMs you activated',
  transfers: 'Number transfers',
  transfer_events: 'Number transfer history',
  disputes: 'Payments your bank disputed',
  sessions: 'Where you’re logged in',
  mail_stops: 'When emails about your account were stopped',
  wrong_pins: 'Wrong One-Time PINs, by day',
  erasure_requests: 'When you asked us to delete your data',
}

const fieldLabels: Readonly<Record<string, string>> = {
  id: 'ID',
  msisdn: 'Number',
  iccid: 'SIM number',
  at: 'When',
  currency: 'Currency',
  new_email: 'New email address',
  email: 'Email address',
}

const pageStyles =
  'body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:46rem;padding:1.5rem 1rem 4rem}' +
  'h1{font-size:1.75rem;line-height:1.2}h2{border-top:2px solid;font-size:1.25rem;margin:2.5rem 0 .5rem;padding-top:.75rem}' +
  'dl{display:grid;gap:.15rem 1rem;grid-template-columns:minmax(8rem,1fr) 2fr;margin:.75rem 0;overflow-wrap:anywhere}' +
  'dt{opacity:.75}dd{margin:0}dl dl,dl ol{margin:.25rem 0}section>dl+dl{border-top:1px solid #8888;padding-top:.75rem}' +
  'ol{padding-left:1.25rem}:root{color-scheme:light dark}@media(max-width:30rem){dl{display:block}dd{margin:0 0 .5rem}}'

type DataPageOptions = { market: Market; brandName: string }

export async function* writeHtml(
  pageOptions: DataPageOptions,
  exported: string,
  parts: ExportPart[],
): AsyncGenerator<string> {
  const { market, brandName } = pageOptions
  const title = `The data ${brandName} holds about you`
  const zoneName = getZoneName(market.zone) ?? `${market.country} time`
  yield (
    `<!doctype html>\n<html lang="en-${market.code}"><head><meta charset="utf-8">` +
      `<meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title>` +
      `<style>${pageStyles}</style></head><body><h1>${escapeHtml(title)}</h1>` +
      `<p>As of ${renderMoment(exported, { market, exported })}. Times are in ${escapeHtml(zoneName)}.</p>\n`
  )
  const renderContext = { market, exported }
  for (const part of parts) {
    yield `<section><h2>${escapeHtml(sectionHeadings[part.name] ?? toHeading(part.name))}</h2>\n`
    let isEmpty = true
    for await (const rows of readPages(part))
      for (const row of rows) {
        isEmpty = false
        yield `${renderRow(row, renderContext)}\n`
      }
    yield isEmpty ? '<p>Nothing.</p></section>\n' : '</section>\n'
  }
  yield '</body></html>\n'
}

async function* readPages(part: ExportPart): AsyncGenerator<readonly object[]> {
  if ('pages' in part) yield* part.pages()
  else {
    const onlyRow = await part.one()
    yield onlyRow ? [onlyRow] : []
  }
}

type RenderContext = { market: Market; exported: string }

function renderRow(row: object, at: RenderContext): string {
  const lines = Object.entries(row)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(
      ([name, value]) =>
        `<dt>${escapeHtml(fieldLabels[name] ?? toHeading(name))}</dt><dd>${renderValue(value, at)}</dd>`,
    )
  return `<dl>${lines.join('')}</dl>`
}

function renderValue(value: unknown, at: RenderContext): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) {
    if (value.length === 0) return 'None'
    return `<ol>${value.map((one) => `<li>${renderValue(one, at)}</li>`).join('')}</ol>`
  }
  if (typeof value === 'object' && value !== null) return renderRow(value, at)
  const text = String(value)
  if (/^\d{4}-\d\d-\d\dT[\d:.]{8,18}Z$/.test(text)) return renderMoment(text, at)
  if (/^\+6[14]\d{6,12}$/.test(text)) return escapeHtml(formatNational(text))
  return escapeHtml(text)
}

const renderMoment = (instant: string, { market, exported }: RenderContext): string =>
  escapeHtml(formatMomentWithoutZone(instant, { zone: market.zone, now: exported }))

const toHeading = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`
