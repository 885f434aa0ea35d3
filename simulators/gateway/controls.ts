import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import type { WebhookSender } from './webhook-sender.ts'
import { clearFailures, queueFailure } from './failures.ts'
import type { Gateway } from './gateway.ts'
import { formatPublicKey } from './keys.ts'
import { buildLedger } from './ledger.ts'
import { failureKinds, operations, webhookModes } from './state.ts'
import { createSettingsChange } from './store.ts'

const failureSchema = v.strictObject({
  operation: v.picklist(operations),
  kind: v.picklist(failureKinds),
  times: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1)), 1),
  reference: v.optional(v.nullable(v.string()), null),
  delay_ms: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 15_000),
})

const webhookSettingsSchema = v.strictObject({
  mode: v.optional(v.picklist(webhookModes)),
  release: v.optional(v.boolean(), false),
})

const clockSchema = v.strictObject({ offset_ms: v.pipe(v.number(), v.safeInteger()) })

export function serveControls(app: FastifyInstance, gateway: Gateway, courier: WebhookSender): void {
  serveLedger(app, gateway)

  app.get('/_simulator/public-key', () => ({ public_key: formatPublicKey(gateway.privateKey) }))

  app.get('/_simulator/failures', () =>
    gateway.store
      .table('failures')
      .values()
      .map(({ delayMs, ...failure }) => ({ ...failure, delay_ms: delayMs }))
      .toArray(),
  )

  app.post('/_simulator/failures', (request, reply) => {
    const { delay_ms: delayMs, ...failure } = v.parse(failureSchema, request.body)
    queueFailure(gateway, { ...failure, delayMs })
    return reply.code(204).send()
  })

  app.get('/_simulator/webhooks/pending', () =>
    gateway.store
      .table('webhooks')
      .entries()
      .map(([key, { item, held }]) => ({
        event_code: item.eventCode,
        success: item.success === 'true',
        reference: item.merchantReference,
        psp_reference: item.pspReference,
        held,
        attempts: courier.attempts().get(key) ?? 0,
      }))
      .toArray(),
  )

  app.delete('/_simulator/failures', (_request, reply) => {
    clearFailures(gateway)
    return reply.code(204).send()
  })

  app.post('/_simulator/webhooks', (request, reply) => {
    const { mode, release } = v.parse(webhookSettingsSchema, request.body)
    if (mode) gateway.commit([createSettingsChange({ ...gateway.store.settings(), webhookMode: mode })])
    if (release) courier.release()
    return reply.code(204).send()
  })

  app.put('/_simulator/clock', (request) => {
    const { offset_ms: clockOffsetMs } = v.parse(clockSchema, request.body)
    // Decide any pending payments that are due by the new time before sending the response.
    gateway.commit([createSettingsChange({ ...gateway.store.settings(), clockOffsetMs })])
    return { offset_ms: clockOffsetMs, now: gateway.now().toString() }
  })
}

function serveLedger(app: FastifyInstance, gateway: Gateway): void {
  app.get('/_simulator/ledger', () => buildLedger(gateway))

  app.get('/_simulator/cards', () =>
    gateway.store
      .table('cards')
      .values()
      .map(({ id, shopperReference, summary }) => ({ id, shopper_reference: shopperReference, last_four: summary }))
      .toArray(),
  )
}
