import { join } from 'node:path'
import { createBuilder, type Rolldown } from 'vite'
import { beforeAll, expect, test, vi } from 'vitest'
import { portalBuild as portalBundle } from '#app/build.ts'
import { deskBundle } from './build.ts'
import { pages } from './pages.ts'

const root = join(import.meta.dirname, '../..')

type Made = { modules: string[]; text: string }

async function made(config: string): Promise<Made> {
  const builder = await createBuilder({
    root,
    configFile: join(root, config),
    configLoader: 'native',
    logLevel: 'warn',
    environments: { client: { build: { write: false } } },
  })
  const { output } = (await builder.build(builder.environments['client']!)) as Rolldown.RolldownOutput
  const chunks = output.filter((file) => file.type === 'chunk')
  return {
    modules: chunks.flatMap(({ modules }) => Object.keys(modules).map((id) => id.slice(root.length + 1))),
    text: chunks.map(({ code }) => code).join('\n'),
  }
}

let portal: Made
let desk: Made
beforeAll(async () => {
  vi.stubEnv('NODE_ENV', 'production')
  portal = await made('vite.config.ts')
  desk = await made('desk/vite.config.ts')
})

test('the customer portal’s bundle contains no code from the staff desk', () => {
  expect(portal.modules.length).toBeGreaterThan(300)
  expect(portal.modules.filter((path) => /^(desk|kit.web.desk)\b/.test(path))).toEqual([])
  expect(portal.text).not.toMatch(/\/desk\/build\/|\/api\/desk\/|webauthn/i)
})

test('the staff desk’s bundle contains no customer pages and fetches no files from the customer portal', () => {
  expect(desk.modules).toContain('desk/app/web/DeskShell.tsx')
  expect(desk.modules.filter((path) => /^app\/(?!web\/(page-state|preload)\.ts$)/.test(path))).toEqual([])
  // The only feature code in both the desk's and the portal's bundle is the module that reports errors, which loads on the first error.
  expect(desk.modules.filter((path) => /^features\/[^/]+\/(web|server)\/|\/server\//.test(path))).toEqual([
    'features/error-reports/web/report-error.ts',
  ])
  expect(desk.text).not.toContain('/static/build/')
})

test('the staff desk’s bundle contains its sign-in, invitation and not-found pages', () => {
  expect(pages.length).toBeGreaterThan(3)
  for (const page of ['sign-in', 'invited', 'not-found'])
    expect(desk.modules).toContain(`desk/features/staff/web/${page}.page.tsx`)
})

test.each([
  ['portal', () => portal, portalBundle],
  ['desk', () => desk, deskBundle],
])(
  'every module of the %s bundle is among the sources whose changes trigger a rebuild',
  (_name, built, { sources, foreign }) => {
    const own = built().modules.filter((path) => /^(?:app|desk|features|kit)\/[^?]*$/.test(path))
    const isCounted = (path: string): boolean =>
      !foreign.test(path) && sources.some((source) => path === source || path.startsWith(`${source}/`))
    expect(own.length).toBeGreaterThan(100)
    expect(own.filter((path) => !isCounted(path))).toEqual([])
  },
)
