import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { GenericSchema } from 'valibot'
import type { Endpoint } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { writeDraft } from '#kit/web/form/drafts.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import type { Activation, activationSchema } from '../activation.contract.ts'
import { type WizardState, stateBefore } from '../activation.states.ts'
import { activationQuery, goBackTo, reloadActivation, setActivation } from './activation.queries.ts'

/** The visitor's activation as the wizard's pages see it; null when there is none, or none is known yet. */
export function useActivation(): Activation | null {
  // The page's own needs have asked already; an answer that failed is not asked for again behind the error screen.
  return useQuery({ ...activationQuery(useApi()), retryOnMount: false }).data ?? null
}

/** A call that answers one step of the wizard. */
export type StepEndpoint = Endpoint & { body: GenericSchema; output: typeof activationSchema }

/**
 * Sends a step. Its answer says where the visitor goes next: the pages' redirect follows it. A conflict means that the
 * activation has moved on elsewhere, in another tab perhaps: the state is asked for again. Every other failure is thrown, for the form.
 */
export function useStepSubmit(step: StepEndpoint): (body: unknown) => Promise<void> {
  const api = useApi()
  const client = useQueryClient()
  return async (body) => {
    try {
      const { data } = await api.call(step, { body })
      setActivation(client, data)
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 409) throw failure
      await reloadActivation(client)
    }
  }
}

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
