import type { GenericSchema } from 'valibot'
import type { Endpoint } from '#kit/contract/endpoint.ts'
import { useApi } from '#kit/web/api.tsx'
import { writeDraft } from '#kit/web/form/drafts.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { clearIdempotencyKey } from '#kit/web/idempotency-key.ts'
import type { Activation, activationSchema } from '../activation.contract.ts'
import { type WizardState, stateBefore } from '../activation.states.ts'
import { goBackTo, reloadIfMovedOn, setActivation } from './activation.queries.ts'

/** A call that answers one step of the wizard. */
type StepEndpoint = Endpoint & { body: GenericSchema; output: typeof activationSchema }

/** Sends a step. Its answer says where the visitor goes next: the pages' redirect follows it. */
export function useStepSubmit(step: StepEndpoint): (body: unknown) => Promise<void> {
  const api = useApi()
  const client = useQueryClient()
  return async (body) => {
    try {
      const { data } = await api.call(step, { body })
      // The server accepts no step while a payment is open. So the payment before has ended, and the next one needs a new key.
      clearIdempotencyKey(activationPurchase)
      setActivation(client, data)
    } catch (failure) {
      await reloadIfMovedOn(api, client, failure)
    }
  }
}

/** Names an activation's payment in this tab, for its idempotency key. */
export const activationPurchase = 'activation'

/** Where the SIM step keeps what was typed. */
export const simDraft = 'activate-sim'

/** BACK from a page of the wizard: only the state shown changes, and the pages' redirect follows it. */
export function useBack({ state, setup_porting, phone_number, using_voucher }: Activation): () => void {
  const api = useApi()
  const client = useQueryClient()
  return () => {
    const signedIn = client.getQueryData(accountQuery(api).queryKey)?.authenticated ?? false
    const before = stateBefore(state as WizardState, { porting: setup_porting, signedIn, voucher: using_voucher })
    // Starting over asks for the SIM pack again; only its last four digits are not ours to tell.
    if (before === null) writeDraft(simDraft, { msisdn: phone_number, setup_porting }, [])
    goBackTo(client, before)
  }
}
