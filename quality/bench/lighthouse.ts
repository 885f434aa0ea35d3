import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse from 'lighthouse'
import { findFreePort } from '#kit/server/free-port.ts'
import { launchChromium } from '#quality/support/chromium.ts'
import { createProductProcess } from '#quality/support/product-process.ts'
import { newEmail, newVisitor, type Visitor } from '#quality/support/visitor.ts'
import { startStaticServer } from './static-server.ts'
import {
  type Category,
  findScoreFaults,
  measures,
  computeMedians,
  findMissedTargets,
  type Run,
  type PageScores,
} from './scores.ts'

/*
 * This program fails if Lighthouse finds that one of these pages is slow or faulty on a phone with default throttling. Each page is loaded
 * as a first visit three times, and the medians count. The time to the largest paint is also measured in a throttled browser, next to a
 * page of the same length without scripts. Fantail runs as it does with `npm start`. Run nothing else on the machine, because other
 * programs distort the figures. `npm run lighthouse -- /login/` checks only that page.
 */

const runs = 3
const maxMinutes = 20

const categories: readonly Category[] = ['performance', 'accessibility', 'best-practices', 'seo']

type LighthouseResult = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr']
type PageTarget = { page: string; isPrivate?: true; visitor(): Promise<Visitor> }

const timeoutTimer = setTimeout(
  () => void end(`Stopped: not finished after ${maxMinutes} minutes.`),
  maxMinutes * 60_000,
)
const dataDir = mkdtempSync(join(tmpdir(), 'fantail-lighthouse-'))
const product = createProductProcess(
  { PORT: String(await findFreePort()), DATA_DIR: dataDir, LOG_LEVEL: 'error', DEMO_CUSTOMERS: 'all' },
  { pages: true },
)
const debugPort = await findFreePort()
const browser = await launchChromium([`--remote-debugging-port=${debugPort}`])
const devTools = await browser.newBrowserCDPSession()
const twins = await startStaticServer()

/** Options that throttle the browser itself, so that Lighthouse does not need to simulate throttling. */
const throttledOptions = { onlyCategories: ['performance'], throttlingMethod: 'devtools' as const }

const targets: PageTarget[] = [
  { page: '/login/', visitor: async () => newVisitor(product.url) },
  { page: '/activate/', visitor: async () => newVisitor(product.url) },
  { page: '/activate/plans/', visitor: createVisitorAtPlansStep },
  { page: '/', isPrivate: true, visitor: createCustomer },
]

try {
  await product.start()
  console.log(row((measure) => measure))
  const pages: PageScores[] = []
  for (const target of targets.filter(isSelected)) pages.push(await judge(target))
  for (const miss of findMissedTargets(pages)) console.log(miss)
  await end(...findScoreFaults(pages), ...product.complaints())
} catch (error) {
  await end(String(error))
}

function isSelected({ page }: PageTarget): boolean {
  const asked = process.argv.slice(2)
  return asked.length === 0 || asked.includes(page)
}

async function judge({ page, isPrivate, visitor }: PageTarget): Promise<PageScores> {
  const scores: PageScores = { page, runs: [] }
  const targetVisitor = await visitor()
  const onlyCategories = categories.filter((category) => !(isPrivate && category === 'seo'))
  twins.serve(page, await fetchHtml(page, targetVisitor))
  for (let run = 0; run < runs; run++) {
    const result = await look(page, targetVisitor, { onlyCategories })
    const paint = getLargestPaintMs(await look(page, targetVisitor, throttledOptions))
    const twin = paint / getLargestPaintMs(await look(page, targetVisitor, throttledOptions, { origin: twins.url }))
    scores.runs.push({ ...runOf(result, onlyCategories), throttled: paint, twin })
    for (const title of findAuditFaults(result)) console.log(`  ${page}: ${title}`)
  }
  const medians = computeMedians(scores)
  // A page that is hidden from search engines has no SEO score.
  console.log(
    `${row((measure) => (medians[measure] === undefined ? '–' : String(Number(medians[measure].toFixed(3)))))}   ${page}`,
  )
  return scores
}

/** Runs Lighthouse, at most `attempts` times. A failed recording is repeated, because it says nothing about the page. */
async function look(
  page: string,
  visitor: Visitor,
  what: Parameters<typeof lighthouse>[1],
  { origin = product.url, attempts = 3 }: { origin?: string; attempts?: number } = {},
): Promise<LighthouseResult> {
  await setVisitorCookies(visitor)
  const result = await lighthouse(`${origin}${page}`, { port: debugPort, logLevel: 'silent', ...what })
  const failure = result ? result.lhr.runtimeError?.message : 'Lighthouse returned no result'
  if (failure && attempts > 1) return look(page, visitor, what, { origin, attempts: attempts - 1 })
  if (!result || failure) throw new Error(`${page}: ${failure}`)
  if (new URL(result.lhr.finalDisplayedUrl).pathname !== page)
    throw new Error(`${page} led to ${result.lhr.finalDisplayedUrl}`)
  return result.lhr
}

async function fetchHtml(page: string, visitor: Visitor): Promise<string> {
  const cookie = visitor
    .cookies()
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
  return (await fetch(`${product.url}${page}`, { headers: { cookie } })).text()
}

function getAuditValue({ audits }: LighthouseResult, id: string): number {
  return audits[id]?.numericValue ?? Infinity
}

function getLargestPaintMs(result: LighthouseResult): number {
  return Math.round(getAuditValue(result, 'largest-contentful-paint'))
}

function runOf(result: LighthouseResult, judged: readonly Category[]): Run {
  const categoryScores = judged.map((category) => [
    category,
    Math.round((result.categories[category]?.score ?? 0) * 100),
  ])
  return {
    ...Object.fromEntries(categoryScores),
    reckoned: getLargestPaintMs(result),
    blocking: Math.round(getAuditValue(result, 'total-blocking-time')),
    shift: getAuditValue(result, 'cumulative-layout-shift'),
  }
}

function findAuditFaults({ categories, audits }: LighthouseResult): string[] {
  const weightedAudits = Object.entries(categories).flatMap(([name, { auditRefs }]) =>
    name === 'performance' ? [] : auditRefs.filter(({ weight }) => weight > 0),
  )
  return weightedAudits.flatMap(({ id }) => {
    const audit = audits[id]
    return audit && audit.score !== null && audit.score < 1 ? [audit.title] : []
  })
}

function row(cellOf: (measure: (typeof measures)[number]) => string): string {
  return measures.map((measure) => cellOf(measure).padStart(15)).join('')
}

async function setVisitorCookies(visitor: Visitor): Promise<void> {
  await devTools.send('Storage.clearCookies')
  await devTools.send('Storage.setCookies', {
    cookies: visitor.cookies().map(([name, value]) => ({ name, value, url: product.url })),
  })
}

async function createVisitorAtPlansStep(): Promise<Visitor> {
  const visitor = newVisitor(product.url)
  const { sims } = (await visitor.get('/demo/api/fixtures/')).body
  const { msisdn, sim_serial } = sims.find(({ behaviour }: { behaviour: string }) => behaviour === 'ok')
  await postOrThrow(visitor, '/api/activate/sim/', { msisdn, sim_serial, setup_porting: false })
  await postOrThrow(visitor, '/api/activate/signup/', {
    full_name: 'Ana Rewi',
    email: newEmail(),
    password: 'kereru-2-tui',
    marketing_consent: true,
  })
  await postOrThrow(visitor, '/api/activate/method/', { method: 'payment' })
  return visitor
}

async function createCustomer(): Promise<Visitor> {
  const visitor = newVisitor(product.url)
  const { customers } = (await visitor.get('/demo/api/fixtures/')).body
  const { email, password } = customers.find(({ about }: { about: string }) => about.includes('Several services'))
  await postOrThrow(visitor, '/api/account/login/', { username: email, password })
  return visitor
}

async function postOrThrow(visitor: Visitor, path: string, body: object): Promise<void> {
  const { status } = await visitor.post(path, body)
  if (status !== 200) throw new Error(`${path} answered ${status}`)
}

async function end(...faults: string[]): Promise<never> {
  clearTimeout(timeoutTimer)
  for (const fault of faults) console.error(fault)
  await browser.close()
  await twins.close()
  await product.kill()
  rmSync(dataDir, { recursive: true, force: true })
  process.exit(faults.length > 0 ? 1 : 0)
}
