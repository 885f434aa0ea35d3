import { createPrivateKey } from 'node:crypto'
import { fireEvent, screen } from '@testing-library/react'
import { expect } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import vector from '#kit/web/card/card-encryption.vector.json' with { type: 'json' }
import type { Activation } from '#features/activation/activation.contract.ts'
import { activationPages } from '#features/activation/web/activation.pages.ts'
import { type DecryptedCard, decryptCard } from '#simulators/gateway/decrypt.ts'
import { activationView, testProduct } from './activation-view.ts'
import { expectEventually, pass } from './fake-time.ts'
import {
  type Call,
  createFakeApi,
  type FakeApi,
  openPortal,
  type Reply,
  testBootstrap,
  withStatus,
} from './open-portal.tsx'

export const pay = 'POST /api/activate/pay/'
export const resumePaymentEndpoint = 'POST /api/orders/FT0001/resume/'
export const activationEndpoint = 'GET /api/activate/'

export const toPay = (change: Partial<Activation> = {}): Activation =>
  activationView({
    state: 'PAYMENT',
    method: 'payment',
    product: testProduct,
    plan_title: testProduct.title,
    balance_due: testProduct.price,
    full_name: 'Ana Rewi',
    email: 'ana@example.nz',
    ...change,
  })

export const voucherActivation = (change: Partial<Activation> = {}): Activation =>
  toPay({ method: 'voucher', using_voucher: true, balance_due: '0.00', ...change })

export const activationInProgress = toPay({ state: 'ACTIVATING' })

export const pendingPayment = withStatus(202, { order_code: 'FT0001', retry: true })
export const paymentRefusal = (sentence: string): ApiError => new ApiError(400, { __all__: [sentence] })

export async function openCheckout(
  replies: Record<string, Reply> = {},
  now = toPay(),
  publicKey = vector.public_key,
): Promise<FakeApi> {
  const api = createFakeApi({
    [activationEndpoint]: now,
    'GET /api/account/': { authenticated: false, user: null },
    ...replies,
  })
  await openPortal(activationPages, '/activate/checkout/', api, {
    ...testBootstrap,
    card: { ...testBootstrap.card, publicKey },
  })
  await expectEventually(() => screen.queryByText(/^ACTIVATE|confirming your payment/)).not.toBeNull()
  return api
}

export const cardLabels = ['Card number', 'Name on card', 'Expiry', 'Security code'] as const
export type CardLabel = (typeof cardLabels)[number]

export const validCard: Record<CardLabel, string> = {
  'Card number': '4111 1111 1111 1111',
  'Name on card': 'Ana Rewi',
  Expiry: '03 / 30',
  'Security code': '737',
}

export const getCardField = (label: CardLabel): HTMLInputElement => screen.getByRole('textbox', { name: label })
export const getActivateButton = (): HTMLButtonElement => screen.getByRole('button', { name: /^ACTIVATE/ })

export function fillInCard(change: Partial<Record<CardLabel, string>> = {}): void {
  for (const [label, value] of Object.entries({ ...validCard, ...change }))
    fireEvent.change(getCardField(label as CardLabel), { target: { value } })
}

export async function openAndPay(replies: Record<string, Reply>): Promise<FakeApi> {
  const api = await openCheckout(replies)
  fillInCard()
  await payAgain(api)
  return api
}

export async function payAgain(api: FakeApi): Promise<void> {
  const previousCallCount = findCalls(api, pay).length
  fireEvent.click(getActivateButton())
  await expect.poll(() => findCalls(api, pay).length).toBe(previousCallCount + 1)
  await pass(0)
}

export const listIdempotencyKeys = (api: FakeApi): string[] =>
  findCalls(api, pay).map(({ headers }) => new Headers(headers).get('idempotency-key') ?? '')

export const findCalls = (api: FakeApi, at: string): Call[] => api.calls.filter((call) => call.at === at)

export function decryptSealedCard(encrypted: string, now: string): DecryptedCard {
  const key = createPrivateKey({
    key: Buffer.from(vector.test_key_pkcs8_base64, 'base64'),
    format: 'der',
    type: 'pkcs8',
  })
  return decryptCard(encrypted, key, Temporal.Instant.from(now))
}
