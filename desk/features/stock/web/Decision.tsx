import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Failure } from '#kit/web/desk/Failure.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { decideLoad, type Load } from '../loads.contract.ts'
import { countOf } from './load-words.ts'
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
              {load.bad > 0 ? `Load the ${countOf(load.good, 'good one', 'good ones')}` : `Load all ${load.good}`}
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
      return 'When all is checked, you say whether its good lines are loaded. You can leave this page.'
    case 'waiting':
      return bad > 0
        ? 'Load the good lines, or none until the file is right. Nobody has a SIM pack of it yet.'
        : 'All lines are good. Nobody has a SIM pack of it yet.'
    case 'loading':
      return 'It is being loaded, and for sale once all of it is. You can leave this page.'
    case 'withdrawing':
      return 'A line was taken meanwhile, so all of it goes out again.'
    case 'loaded':
      return `${countOf(loaded, 'SIM pack is', 'SIM packs are')} for sale, ${countOf(left, 'of them unused', 'of them unused')}.`
    case 'checked':
      return 'It was only checked.'
    default:
      return good === 0
        ? 'No line of it is good: nothing was loaded.'
        : 'Nothing was loaded. The file can be sent again.'
  }
}
