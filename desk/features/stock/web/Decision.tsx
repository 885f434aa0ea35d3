import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Failure } from '#kit/web/desk/Failure.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { decideLoad, type Load } from '../loads.contract.ts'
import { countOf, figure } from './load-words.ts'
import * as s from './stock.module.css'

export function Decision({ load, onDecided }: { load: Load; onDecided: () => void }) {
  const api = useApi()
  const say = (decision: 'good' | 'none') =>
    inWords(api.call(decideLoad, { params: { id: load.id }, body: { decision } }))
  const good = useMutation({ mutationFn: () => say('good'), onSuccess: onDecided })
  const none = useMutation({ mutationFn: () => say('none'), onSuccess: onDecided })
  const isBusy = good.isPending || none.isPending
  const isWaiting = load.state === 'waiting'
  return (
    <>
      <Failure error={good.error ?? none.error} />
      <div className={s.decision}>
        <p role="status">{sentenceOf(load)}</p>
        {isWaiting && (
          <div className={s.acts}>
            <DenseButton aria-busy={isBusy || undefined} onClick={() => isBusy || void none.mutate()}>
              Load none
            </DenseButton>
            <DenseButton kind="primary" aria-busy={isBusy || undefined} onClick={() => isBusy || void good.mutate()}>
              {load.bad > 0 ? `Load the ${countOf(load.good, 'good line', 'good lines')}` : `Load all ${load.good}`}
            </DenseButton>
          </div>
        )}
      </div>
    </>
  )
}

function sentenceOf({ state, good, bad, loaded, left }: Load): string {
  switch (state) {
    case 'receiving':
      return 'The file is being read.'
    case 'checking':
      return 'The file is being checked. Then you decide whether to load its good lines. You can leave this page.'
    case 'waiting':
      return bad > 0
        ? 'Load the good lines, or load none and correct the file first. Nothing has been loaded yet.'
        : 'All lines are good. Nothing has been loaded yet.'
    case 'loading':
      return 'The file is being loaded. Its SIM packs go on sale once all of it is loaded. You can leave this page.'
    case 'withdrawing':
      return 'A SIM or number of this file has meanwhile been used elsewhere, so the whole load is being removed.'
    case 'loaded':
      return `${countOf(loaded, 'SIM pack is', 'SIM packs are')} on sale; ${figure(left)} unused.`
    case 'checked':
      return 'This file was only checked, not loaded.'
    default:
      return good === 0
        ? 'The file has no good lines, so nothing was loaded.'
        : 'Nothing was loaded. You can upload the file again.'
  }
}
