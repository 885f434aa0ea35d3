import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type AllowedNeighbours, type Tree, findImportFaults } from './import-rules.ts'

// The imports between slices that are allowed. Adding an entry is a design decision; keep the table short and free of cycles.
const neighbours: AllowedNeighbours = {
  features: {
    account: ['auth', 'messages', 'services'],
    activation: ['auth', 'orders', 'plans', 'porting', 'services', 'vouchers'],
    alerts: ['auth', 'messages', 'plans', 'services', 'usage'],
    orders: [
      'auth',
      'invoices',
      'messages',
      'operator-tasks',
      'payment-method',
      'plans',
      'porting',
      'refused-payments',
      'services',
      'usage',
      'vouchers',
    ],
    'operator-tasks': ['messages'],
    plans: ['operator-tasks'],
    porting: ['auth', 'messages', 'operator-tasks', 'services'],
    'change-email': ['auth', 'account', 'messages', 'services'],
    'payment-method': ['auth', 'account', 'messages', 'operator-tasks', 'refused-payments', 'services'],
    auth: ['messages'],
    security: ['auth', 'account'],
    privacy: ['account', 'auth', 'customers', 'messages'],
    // Commands about a customer import every slice that stores customer data (decision 0054).
    customers: ['auth', 'auto-renewal', 'change-email', 'disputes', 'messages', 'orders', 'payment-method', 'services'],
    addons: ['auth', 'orders', 'plans', 'services', 'usage'],
    history: ['auth', 'invoices', 'messages', 'plans', 'services'],
    invoices: ['account', 'auth', 'plans', 'services'],
    disputes: ['operator-tasks', 'orders'],
    reconciliation: ['disputes', 'invoices', 'operator-tasks', 'orders', 'porting', 'refunds'],
    refunds: ['auth', 'disputes', 'invoices', 'messages', 'operator-tasks', 'orders', 'services'],
    'auto-renewal': ['alerts', 'auth', 'messages', 'orders', 'payment-method', 'plans', 'renewal', 'services'],
    'next-plan': [
      'auth',
      'auto-renewal',
      'disputes',
      'messages',
      'operator-tasks',
      'orders',
      'refunds',
      'services',
      'vouchers',
    ],
    renewal: ['auth', 'history', 'orders', 'plans', 'services', 'usage', 'vouchers'],
    services: ['auth', 'messages', 'operator-tasks', 'plans'],
    stock: ['operator-tasks', 'porting', 'services'],
    usage: ['auth', 'history', 'plans', 'services'],
    vouchers: ['auth', 'plans'],
    dashboard: [
      'account',
      'alerts',
      'auth',
      'auto-renewal',
      'next-plan',
      'plans',
      'porting',
      'services',
      'usage',
      'vouchers',
    ],
  },
  components: [
    'desk/features/approvals/web/Approvals.tsx',
    'desk/features/approvals/web/approvals.queries.ts',
    'desk/features/caller-verification/web/CallerCheck.tsx',
    'desk/features/caller-verification/web/CallerStatus.tsx',
    'desk/features/renewals/web/RenewDrawer.tsx',
    'desk/features/today/web/ProviderName.tsx',
    'features/account/web/AccountFrame.tsx',
    'features/account/web/PasswordConfirmation.tsx',
    'features/account/web/ResendMail.tsx',
    'features/account/web/use-mail-link.ts',
    'features/account/web/use-tab-visible.ts',
    'features/alerts/web/AlertsSummary.tsx',
    'features/auth/web/FailureBanner.tsx',
    'features/auth/web/account.queries.ts',
    'features/auth/web/guards.ts',
    'features/auth/web/private.loader.ts',
    'features/auth/web/use-user.ts',
    'features/auto-renewal/web/DisableAutoRenewal.tsx',
    'features/auto-renewal/web/EnableAutoRenewal.tsx',
    'features/next-plan/web/CancelNextPlan.tsx',
    'features/history/web/PlanAdviceNote.tsx',
    'features/history/web/advice.queries.ts',
    'features/orders/web/CardChooser.tsx',
    'features/orders/web/DeliveredOrderPage.tsx',
    'features/orders/web/PaymentPending.tsx',
    'features/orders/web/PurchaseConfirmation.tsx',
    'features/orders/web/PurchaseForm.tsx',
    'features/orders/web/PurchaseSummary.tsx',
    'features/orders/web/SaveCard.tsx',
    'features/orders/web/orders.queries.ts',
    'features/orders/web/use-card-choice.ts',
    'features/orders/web/use-new-card.tsx',
    'features/orders/web/use-payment.ts',
    'features/orders/web/use-purchase.ts',
    'features/plans/web/PlanChooser.tsx',
    'features/plans/web/plan-choice.ts',
    'features/plans/web/plan.labels.ts',
    'features/plans/web/summary.labels.ts',
    'features/plans/web/plans.queries.ts',
    'features/porting/web/PortingForm.tsx',
    'features/porting/web/porting.queries.ts',
    'features/services/web/AutoRenewalOffNotice.tsx',
    'features/services/web/MoreNumbersButton.tsx',
    'features/services/web/current-schedule.ts',
    'features/services/web/services.queries.ts',
    'features/services/web/use-services.ts',
    'features/services/web/use-shown-numbers.ts',
    'features/usage/web/AddOns.tsx',
    'features/usage/web/Forecast.tsx',
    'features/usage/web/CompactUsage.tsx',
    'features/usage/web/PlanUsage.tsx',
    'features/usage/web/usage.labels.ts',
    'features/usage/web/usage.queries.ts',
    'features/usage/web/use-reload-after-purchase.ts',
    'features/vouchers/web/SavedVoucherPlan.tsx',
    'features/vouchers/web/VoucherCodeField.tsx',
    'features/vouchers/web/VoucherPlan.tsx',
    'features/vouchers/web/saved-voucher.ts',
    'features/vouchers/web/voucher.queries.ts',
  ],
}

test('every import in the repository points in an allowed direction', { timeout: 180_000 }, () => {
  const outside = ['node_modules', 'dist', '.data', '.git', 'test-results']
  const paths = globSync('**/*.*', { exclude: (path) => outside.includes(path) }).map((path) =>
    path.replaceAll('\\', '/'),
  )
  const tree = Object.fromEntries(paths.map((path) => [path, /\.tsx?$/.test(path) ? readFileSync(path, 'utf8') : '']))
  expect(Object.keys(tree).length).toBeGreaterThan(50)
  expect(findImportFaults(tree, neighbours)).toEqual([])
})

describe('checking the direction of imports', () => {
  const someNeighbours: AllowedNeighbours = {
    features: { renewal: ['orders'], orders: ['plans'] },
    components: ['features/orders/web/summary.tsx'],
  }
  const anyFile = (path: string): Tree => ({ [path]: '' })
  const faults = (tree: Tree) => findImportFaults(tree, someNeighbours)
  const importing = (from: string, to: string): Tree => ({ ...anyFile(to), [from]: `import { x } from '#${to}'\nx()` })

  test.each([
    ['kit/contract/money.ts', 'kit/contract/dates.ts'],
    ['kit/server/session.ts', 'kit/contract/errors.ts'],
    ['kit/web/form.tsx', 'kit/contract/errors.ts'],
    ['kit/web/card.tsx', 'kit/web/card.module.css'],
    ['kit/web/desk/Panel.tsx', 'kit/web/widgets/Card.tsx'],
    ['kit/web/widgets/Card.tsx', 'kit/web/widgets/Card.module.css'],
    ['app/web/Frame.tsx', 'kit/web/chrome/PageFrame.tsx'],
    ['app/render/document.ts', 'kit/server/escape-html.ts'],
    ['db/seed.ts', 'kit/server/db.ts'],
    ['providers/card/card.adapter.ts', 'providers/card/card.port.ts'],
    ['providers/card/card.port.ts', 'kit/contract/money.ts'],
    ['simulators/gateway/server.ts', 'simulators/gateway/ledger.ts'],
    ['features/renewal/renewal.contract.ts', 'kit/contract/endpoint.ts'],
    ['features/renewal/renewal.contract.ts', 'features/renewal/renewal.states.ts'],
    ['features/renewal/renewal.contract.ts', 'features/orders/orders.contract.ts'],
    ['features/renewal/renewal.states.ts', 'kit/contract/money.ts'],
    ['features/renewal/server/renewal.ts', 'features/renewal/server/renewal.store.ts'],
    ['features/renewal/server/renewal.ts', 'features/orders/server/orders.ts'],
    ['features/renewal/server/renewal.ts', 'features/orders/server/orders.store.ts'],
    ['features/renewal/server/renewal.ts', 'features/orders/server/orders.deps.ts'],
    ['features/renewal/server/renewal.ts', 'features/orders/server/orders.present.ts'],
    ['features/renewal/server/renewal.ts', 'features/orders/orders.states.ts'],
    ['features/renewal/server/renewal.ts', 'providers/card/card.port.ts'],
    ['features/renewal/web/page.tsx', 'features/renewal/renewal.contract.ts'],
    ['features/renewal/web/page.tsx', 'features/orders/web/summary.tsx'],
    ['features/renewal/web/page.tsx', 'kit/web/form.tsx'],
    ['features/renewal/renewal.api.test.ts', 'quality/support/world.ts'],
    ['kit/server/db.test.ts', 'simulators/gateway/server.ts'],
    ['app/routes.ts', 'features/renewal/server/renewal.routes.ts'],
    ['demo/demo.ts', 'simulators/gateway/server.ts'],
    ['operator/main.ts', 'features/renewal/server/renewal.store.ts'],
    ['app/product.ts', 'desk/app/start-desk-server.ts'],
    ['app/operator/staff.routes.ts', 'desk/features/staff/server/staff.ts'],
    ['app/web/shell.test.tsx', 'desk/app/web/DeskShell.tsx'],
    ['desk/vite.config.ts', 'app/build/options.ts'],
    ['desk/app/web/DeskShell.tsx', 'app/web/Portal.tsx'],
    ['desk/features/search/search.contract.ts', 'features/orders/orders.contract.ts'],
    ['desk/features/search/web/find.page.tsx', 'desk/features/staff/web/me.queries.ts'],
    ['desk/features/search/web/find.page.tsx', 'desk/features/search/web/Found.tsx'],
    ['desk/features/search/web/find.page.tsx', 'kit/web/desk/Panel.tsx'],
    ['desk/features/search/server/search.view.ts', 'features/orders/server/orders.store.ts'],
    ['desk/features/search/server/search.routes.ts', 'desk/features/staff/server/staff.guard.ts'],
  ])('%s may import %s', (from, to) => expect(faults(importing(from, to))).toEqual([]))

  test.each([
    ['kit/contract/money.ts', 'kit/server/clock.ts'],
    ['kit/contract/money.ts', 'kit/web/form.tsx'],
    ['kit/contract/money.ts', 'features/renewal/renewal.contract.ts'],
    ['kit/server/jobs.ts', 'features/renewal/server/renewal.ts'],
    ['kit/server/jobs.ts', 'providers/card/card.port.ts'],
    ['kit/server/jobs.ts', 'app/routes.ts'],
    ['kit/server/jobs.ts', 'db/seed.ts'],
    ['kit/server/jobs.ts', 'quality/support/world.ts'],
    ['kit/server/pagination.ts', 'kit/web/form.tsx'],
    ['kit/web/form.tsx', 'kit/server/clock.ts'],
    ['kit/web/form.tsx', 'simulators/gateway/server.ts'],
    ['db/seed.ts', 'features/plans/server/plans.store.ts'],
    ['providers/card/card.adapter.ts', 'providers/network/network.port.ts'],
    ['providers/card/card.adapter.ts', 'kit/server/clock.ts'],
    ['providers/card/card.port.ts', 'providers/card/card.adapter.ts'],
    ['simulators/gateway/server.ts', 'kit/contract/money.ts'],
    ['simulators/gateway/server.ts', 'providers/card/card.port.ts'],
    ['features/renewal/renewal.contract.ts', 'kit/server/clock.ts'],
    ['features/renewal/renewal.contract.ts', 'features/renewal/server/renewal.ts'],
    ['features/renewal/renewal.contract.ts', 'features/orders/orders.states.ts'],
    ['features/renewal/renewal.contract.ts', 'features/plans/plans.contract.ts'],
    ['features/renewal/renewal.states.ts', 'features/renewal/renewal.contract.ts'],
    ['features/renewal/renewal.states.ts', 'features/orders/orders.states.ts'],
    ['features/renewal/server/renewal.ts', 'features/renewal/web/page.tsx'],
    ['features/renewal/server/renewal.ts', 'features/orders/server/orders.routes.ts'],
    ['features/renewal/server/renewal.ts', 'features/orders/web/summary.tsx'],
    ['features/renewal/server/renewal.ts', 'features/plans/server/plans.ts'],
    ['features/renewal/server/renewal.ts', 'providers/card/card.adapter.ts'],
    ['features/renewal/server/renewal.ts', 'simulators/gateway/server.ts'],
    ['features/renewal/server/renewal.ts', 'app/routes.ts'],
    ['features/renewal/web/page.tsx', 'features/renewal/server/renewal.ts'],
    ['features/renewal/web/page.tsx', 'features/orders/server/orders.ts'],
    ['features/renewal/web/page.tsx', 'features/orders/web/other.tsx'],
    ['features/renewal/web/page.tsx', 'kit/server/clock.ts'],
    ['features/renewal/web/page.tsx', 'providers/card/card.port.ts'],
    ['features/renewal/web/page.tsx', 'db/seed.ts'],
    ['features/orders/server/orders.ts', 'features/renewal/server/renewal.ts'],
    ['app/routes.ts', 'features/renewal/renewal.api.test.ts'],
    ['app/pages.ts', 'desk/features/search/web/search.pages.ts'],
    ['app/web/Frame.tsx', 'desk/app/web/DeskFrame.tsx'],
    ['app/render/prebuilt-renderer.ts', 'desk/app/build.ts'],
    ['features/renewal/server/renewal.ts', 'desk/features/search/server/search.ts'],
    ['features/renewal/web/page.tsx', 'desk/features/search/web/Found.tsx'],
    ['kit/web/form.tsx', 'desk/features/search/search.contract.ts'],
    ['kit/web/form.tsx', 'kit/web/desk/Panel.tsx'],
    ['features/renewal/web/page.tsx', 'kit/web/desk/Panel.tsx'],
    ['app/web/Frame.tsx', 'kit/web/desk/Panel.tsx'],
    ['kit/server/jobs.ts', 'desk/app/start-desk-server.ts'],
    ['desk/features/search/search.contract.ts', 'desk/features/search/server/search.ts'],
    ['desk/features/search/web/find.page.tsx', 'desk/features/search/server/search.ts'],
    ['desk/features/search/web/find.page.tsx', 'desk/features/staff/web/SignInLayout.tsx'],
    ['desk/features/search/web/find.page.tsx', 'features/orders/web/summary.tsx'],
    ['desk/features/search/web/find.page.tsx', 'desk/app/web/DeskFrame.tsx'],
    ['desk/features/search/server/search.ts', 'desk/features/staff/server/staff.routes.ts'],
    ['desk/features/search/server/search.ts', 'features/orders/server/orders.routes.ts'],
    ['desk/features/search/server/search.ts', 'features/orders/server/orders.jobs.ts'],
    ['desk/features/search/server/search.ts', 'desk/features/search/web/find.page.tsx'],
  ])('%s may not import %s', (from, to) =>
    expect(faults(importing(from, to))).toEqual([expect.stringContaining(`${from} imports ${to}`)]),
  )

  test.each([
    ["import '../server/clock.ts'", 'for its effects'],
    ["import type { Clock } from '../server/clock.ts'", 'of types'],
    ["import { type Clock } from '../server/clock.ts'", 'of types, inline'],
    ["import * as clock from '#kit/server/clock.ts'", 'by its subpath'],
    ["export { now } from '../server/clock.ts'", 'as a re-export'],
    ["export * from '../server/clock.ts'", 'as a re-export of all'],
    ["export type * from '../server/clock.ts'", 'as a re-export of types'],
    ["const clock = await import('../server/clock.ts')", 'at run time'],
    ["type Clock = import('../server/clock.ts').Clock", 'inside a type'],
    ["declare module '../server/clock.ts' { interface Clock { at: number } }", 'as an addition to it'],
    ["const page = <b>{await import('../server/clock.ts?raw')}</b>", 'among elements, with a query'],
  ])('recognises %s as an import %s', (source) => {
    expect(faults({ 'kit/server/clock.ts': '', 'kit/web/clock.tsx': source })).toEqual([
      'kit/web/clock.tsx imports kit/server/clock.ts, which kit/web/** may not import',
    ])
  })

  test.each([
    'kit/contract/money.ts',
    'kit/web/form.tsx',
    'features/renewal/web/page.tsx',
    'features/renewal/renewal.contract.ts',
    'features/renewal/renewal.states.ts',
    'desk/features/search/search.contract.ts',
    'desk/features/search/web/find.page.tsx',
  ])('%s is loaded by browsers, so it may not import a Node module, with or without the prefix node:', (path) => {
    expect(faults({ [path]: "import { readFileSync } from 'node:fs'" })).toEqual([
      `${path} imports node:fs, but browsers load this file too`,
    ])
    expect(faults({ [path]: "import { join } from 'path'" })).toEqual([
      `${path} imports path, but browsers load this file too`,
    ])
    expect(faults({ [path]: "import * as v from 'valibot'" })).toEqual([])
  })

  test('the import check reports an import without a file extension', () => {
    expect(faults({ 'kit/web/a.ts': "import './b'", 'kit/web/b.ts': '' })).toEqual([
      'kit/web/a.ts imports kit/web/b: no such file',
    ])
  })

  test('the import check reports a file outside the documented folder layout', () => {
    expect(faults(anyFile('features/renewal/helpers.ts'))).toEqual([
      'features/renewal/helpers.ts is outside the documented folder layout',
    ])
    expect(faults(anyFile('utils/strings.ts'))).toEqual(['utils/strings.ts is outside the documented folder layout'])
    expect(faults(anyFile('kit/strings.ts'))).toEqual(['kit/strings.ts is outside the documented folder layout'])
  })

  test('the import check finds import cycles of any length, including type imports', () => {
    expect(faults({ 'kit/web/a.ts': "import './a.ts'" })).toEqual(['import cycle: kit/web/a.ts → kit/web/a.ts'])
    expect(
      faults({
        'kit/web/a.ts': "import './b.ts'",
        'kit/web/b.ts': "import type { C } from './c.ts'",
        'kit/web/c.ts': "export const a = () => import('./a.ts')",
        'kit/web/d.ts': "import './a.ts'\nimport './b.ts'",
      }),
    ).toEqual(['import cycle: kit/web/a.ts → kit/web/b.ts → kit/web/c.ts → kit/web/a.ts'])
  })

  test('the import check reports a cycle in the table of allowed imports', () => {
    const round: AllowedNeighbours = {
      features: { orders: ['plans'], plans: ['vouchers'], vouchers: ['orders'] },
      components: [],
    }
    expect(findImportFaults({}, round)).toEqual(['cycle of allowed imports: orders → plans → vouchers → orders'])
  })

  test('the import check throws an error for a file that cannot be parsed', () => {
    expect(() => faults({ 'kit/web/a.ts': 'import {' })).toThrow('kit/web/a.ts')
  })
})
