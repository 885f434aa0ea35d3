import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Failure } from '#kit/web/desk/Failure.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { type CheckedLook, checkMessages, decideLook } from '../checks.contract.ts'
import { saidWords } from './check-words.ts'
import * as s from './checks.module.css'

type Props = { look: CheckedLook; onSaid: () => void }

export function SayOfLook({ look, onSaid }: Props) {
  const { id, who, decision, is_own: isOwn } = look
  const api = useApi()
  const say = (said: 'in_order' | 'asked') =>
    // `finally` also reloads after a failure, so that a lead who was second sees the first lead's decision.
    inWords(api.call(decideLook, { params: { id }, body: { decision: said } })).finally(onSaid)
  const good = useMutation({ mutationFn: () => say('in_order') })
  const asked = useMutation({ mutationFn: () => say('asked') })
  if (decision) return <span>{saidWords(look)}</span>
  if (isOwn) return <span className="muted">{checkMessages.own}</span>
  const isBusy = good.isPending || asked.isPending
  return (
    <div>
      <span className={s.acts}>
        <DenseButton
          small
          label={`In order: customer viewed by ${who}`}
          aria-busy={good.isPending || undefined}
          onClick={() => isBusy || void good.mutate()}
        >
          In order
        </DenseButton>
        <DenseButton
          small
          label={`Ask about it: customer viewed by ${who}`}
          aria-busy={asked.isPending || undefined}
          onClick={() => isBusy || void asked.mutate()}
        >
          Ask about it
        </DenseButton>
      </span>
      <Failure error={good.error ?? asked.error} />
    </div>
  )
}
