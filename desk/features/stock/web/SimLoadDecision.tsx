import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { ErrorBanner } from '#kit/web/desk/ErrorBanner.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { decideSimLoad, type Load } from '../sim-loads.contract.ts'
import { pluralize, formatCount } from './count.labels.ts'
import * as s from './stock.module.css'

export function SimLoadDecision({ load, onDecided }: { load: Load; onDecided: () => void }) {
  const api = useApi()
  const submitLoadDecision = (decision: 'good' | 'none') =>
    withFormErrors(api.call(decideSimLoad, { params: { id: load.id }, body: { decision } }))
  const confirmLoadMutation = useMutation({ mutationFn: () => submitLoadDecision('good'), onSuccess: onDecided })
  const declineLoadMutation = useMutation({ mutationFn: () => submitLoadDecision('none'), onSuccess: onDecided })
  const isBusy = confirmLoadMutation.isPending || declineLoadMutation.isPending
  const isWaiting = load.state === 'waiting'
  return (
    <>
      <ErrorBanner error={confirmLoadMutation.error ?? declineLoadMutation.error} />
      <div className={s.decision}>
        <p role="status">{simLoadStateSentence(load)}</p>
        {isWaiting && (
          <div className={s.acts}>
            <DenseButton aria-busy={isBusy || undefined} onClick={() => isBusy || void declineLoadMutation.mutate()}>
              Load nothing
            </DenseButton>
            <DenseButton
              kind="primary"
              aria-busy={isBusy || undefined}
              onClick={() => isBusy || void confirmLoadMutation.mutate()}
            >
              {load.bad > 0
                ? `Load the ${pluralize(load.good, 'good line', 'good lines')}`
                : `Load all ${pluralize(load.good, 'line', 'lines')}`}
            </DenseButton>
          </div>
        )}
      </div>
    </>
  )
}

function simLoadStateSentence({ state, good, bad, loaded, left }: Load): string {
  switch (state) {
    case 'receiving':
      return 'The file is being read.'
    case 'checking':
      return 'The file is being checked. After that, you decide whether to load its good lines. You can leave this page.'
    case 'waiting':
      return bad > 0
        ? 'Load the good lines, or load nothing and correct the file first. Nothing has been loaded yet.'
        : 'All lines are good. Nothing has been loaded yet.'
    case 'loading':
      return 'The file is being loaded. Its SIM packs go on sale once all of it is loaded. You can leave this page.'
    case 'withdrawing':
      return 'A SIM or number in this file has since been used elsewhere, so the whole load is being removed.'
    case 'loaded':
      return `${pluralize(loaded, 'SIM pack is', 'SIM packs are')} on sale; ${formatCount(left)} unused.`
    case 'checked':
      return 'This file was only checked, not loaded.'
    default:
      return good === 0
        ? 'The file has no good lines, so nothing was loaded.'
        : 'Nothing was loaded. You can upload the file again.'
  }
}
