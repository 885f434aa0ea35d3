import { useEffect, useEffectEvent } from 'react'
import type { GenericSchema } from 'valibot'
import type { Endpoint } from '#kit/contract/endpoint.ts'
import { useApi } from '#kit/web/api.tsx'
import { clearDraft, writeDraft } from '#kit/web/form/drafts.ts'
import { useCookiesNeeded } from '#kit/web/form/cookies-needed.ts'
import { anotherActivationLink } from '#kit/web/has-activated-sim.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { retryWhileBusy } from '#kit/web/retry-while-busy.ts'
import { useNavigate, watchHistory } from '#kit/web/router/location.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { clearIdempotencyKey } from '#kit/web/idempotency-key.ts'
import type { Activation, activationSchema } from '../activation.contract.ts'
import {
  pageByState,
  simStepPath,
  type WizardPath,
  type WizardState,
  getPreviousState,
  wizardStates,
} from '../activation.states.ts'
import { activationQuery, reloadOnConflict, setActivation, showStep } from './activation.queries.ts'

type StepEndpoint = Endpoint & { body: GenericSchema; output: typeof activationSchema }

export const newSimPath = anotherActivationLink.url

/**
 * Submits a step and navigates to the new state's page. The navigation adds a history entry, so the browser's Back
 * button returns to this step.
 */
export function useStepSubmit(step: StepEndpoint): (body: unknown) => Promise<void> {
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const explainMissingCookies = useCookiesNeeded()
  return async (body) => {
    const pathAtSubmit = location.pathname
    try {
      const { data } = await explainMissingCookies(
        retryWhileBusy(
          () => api.call(step, { body }),
          () => location.pathname === pathAtSubmit,
        ),
      )
      // The server only accepts a step while no payment is open, so the next payment needs a new idempotency key.
      clearIdempotencyKey(activationPurchaseId)
      setActivation(client, data)
      if (location.pathname === pathAtSubmit) navigate(pageByState[data.state], { state: { stepBefore: pathAtSubmit } })
    } catch (failure) {
      await reloadOnConflict(api, client, failure)
    }
  }
}

export const activationPurchaseId = 'activation'

export const simDraftKey = 'activate-sim'

/** Deletes the drafts of all steps, because the next activation in this tab may be somebody else's. */
export function clearStepDrafts(): void {
  for (const step of ['sim', 'porting', 'signup', 'method', 'plan']) clearDraft(`activate-${step}`)
}

export function useGoBack(state: WizardState, activation: Activation): () => void {
  const showStepInTab = useShowStep()
  const navigate = useNavigate()
  const getWizardPath = useWizardPath()
  return () => {
    const previousState = getPreviousState(state, getWizardPath(activation))
    const previousPath = previousState ? pageByState[previousState] : simStepPath
    // If the browser's own Back leads to the same page, use it, so that the history does not contain loops.
    if (previousState === findPageState(previousHistoryPath())) return history.back()
    showStepInTab(previousState)
    navigate(previousPath, { replace: true })
  }
}

/** When the browser's Back or Forward button is used, shows the step it leads to before the page's redirect runs. */
export function useHistorySteps(): void {
  const showStepInTab = useShowStep()
  const syncStepWithHistory = useEffectEvent(() => {
    const state = findPageState(location.pathname)
    if (state !== undefined) showStepInTab(state)
  })
  useEffect(() => watchHistory(() => syncStepWithHistory()), [])
}

function useShowStep(): (state: WizardState | null) => void {
  const api = useApi()
  const client = useQueryClient()
  const wizardPathOf = useWizardPath()
  return (state) => {
    const activation = client.getQueryData(activationQuery(api).queryKey)
    if (!activation) return
    const { phone_number, setup_porting } = activation
    // The SIM step has to be submitted again, so fill in everything but the last four digits of the SIM number.
    if (state === null) writeDraft(simDraftKey, { msisdn: phone_number, setup_porting }, [])
    showStep(client, state, wizardPathOf(activation))
  }
}

function useWizardPath(): (activation: Activation) => WizardPath {
  const api = useApi()
  const client = useQueryClient()
  return ({ setup_porting, using_voucher }) => ({
    porting: setup_porting,
    signedIn: client.getQueryData(accountQuery(api).queryKey)?.authenticated ?? false,
    voucher: using_voucher,
  })
}

/**
 * Returns the state for the step that a page shows: `null` for the SIM step, `undefined` for any page outside the
 * wizard.
 */
function findPageState(path: unknown): WizardState | null | undefined {
  if (path === simStepPath || path === newSimPath) return null
  return wizardStates.find((state) => pageByState[state] === path)
}

const previousHistoryPath = (): unknown => (history.state as { stepBefore?: unknown } | null)?.stepBefore
