import { fromWire } from '#kit/contract/money.ts'
import { formatSum } from '#kit/contract/sums.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Failure } from '#kit/web/desk/Failure.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { minuteOf } from '#desk/features/staff/web/span-words.ts'
import { type DeskOrder, resendMessage } from '../orders.contract.ts'
import * as s from './order.module.css'

const paperWords = { invoice: 'Tax invoice', credit: 'Credit note' }
const stateWords = { sent: '', refused: 'refused', dropped: 'not sent, no longer relevant', waits: 'on its way' }

export function PapersPanel({ order, onSent }: { order: DeskOrder; onSent: () => void }) {
  const { papers, messages, code } = order
  const { zone } = useBootstrap().market
  return (
    <Panel title="Documents and messages" inset={false}>
      <ul className={s.papers}>
        {papers.map((paper) => (
          <li key={paper.code}>
            <span className={s.what}>{paperWords[paper.type]}</span>
            <code>{paper.code}</code>
            <b>{formatSum(fromWire(paper.amount))}</b>
          </li>
        ))}
        {messages.map((message) => (
          <Message key={message.id} {...{ code, message, zone, onSent }} />
        ))}
        {papers.length + messages.length === 0 && <li className="muted">No documents or messages yet.</li>}
      </ul>
    </Panel>
  )
}

type MessageProps = { code: string; message: DeskOrder['messages'][number]; zone: string; onSent: () => void }

function Message({ code, message: { id, channel, subject, at, state, may_again }, zone, onSent }: MessageProps) {
  const api = useApi()
  const again = useMutation({
    mutationFn: () => inWords(api.call(resendMessage, { params: { code, id } })),
    onSuccess: onSent,
  })
  return (
    <li>
      <span className={s.what}>
        {channel === 'email' ? 'Email' : 'Text'}: {subject}
      </span>
      {stateWords[state] && <span className="muted">{stateWords[state]}</span>}
      <time dateTime={at}>{minuteOf(at, zone)}</time>
      <span role="status">{again.isSuccess && 'Sent again'}</span>
      {may_again && !again.isSuccess && (
        <DenseButton
          kind="word"
          small
          aria-busy={again.isPending || undefined}
          onClick={() => again.isPending || void again.mutate()}
        >
          Send again
        </DenseButton>
      )}
      <Failure error={again.error} />
    </li>
  )
}
