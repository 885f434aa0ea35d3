import { pollUntil } from './poll-until.ts'
import type { World } from './world.ts'

/**
 * Replaces the gateway's reference of an authorised payment with one that the gateway does not know, so that it refuses to capture the
 * payment. Waits for the webhook about the authorisation first, because a later webhook would reveal the wrong reference.
 * @returns a function that restores the reference
 */
export async function hidePaymentReference({ db }: World, paymentReference: string): Promise<() => Promise<void>> {
  const attempt = await pollUntil(() =>
    db
      .selectFrom('payment_attempts')
      .innerJoin('gateway_notifications', 'gateway_notifications.psp_reference', 'payment_attempts.psp_reference')
      .select(['payment_attempts.id', 'payment_attempts.psp_reference'])
      .where('reference', '=', paymentReference)
      .where('state', '=', 'authorised')
      .where('event_code', '=', 'AUTHORISATION')
      .executeTakeFirst(),
  )
  const save = (pspReference: string | null) =>
    db.updateTable('payment_attempts').set({ psp_reference: pspReference }).where('id', '=', attempt.id).execute()
  await save('GONEGONEGONEGONE')
  return async () => void (await save(attempt.psp_reference))
}
