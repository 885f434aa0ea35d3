import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { ErrorBanner } from '#kit/web/desk/ErrorBanner.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { formatDateAndTime } from '#desk/features/staff/web/date-time.labels.ts'
import { type DeskOrder, resendMessage } from '../orders.contract.ts'
import * as s from './order.module.css'

const documentLabels = { invoice: 'Tax invoice', credit: 'Credit note' }
const stateLabels = { sent: '', refused: 'refused', dropped: 'not sent, no longer relevant', waits: 'on its way' }

export function DocumentsPanel({ order, onSent }: { order: DeskOrder; onSent: () => void }) {
  const { papers, messages, code } = order
  const { zone } = useBootstrap().market
  return (
    <Panel title="Documents and messages" inset={false}>
      <ul className={s.papers}>
        {papers.map((paper) => (
          <li key={paper.code}>
            <span className={s.what}>{documentLabels[paper.type]}</span>
            <code>{paper.code}</code>
            <time dateTime={paper.at}>{formatDateAndTime(paper.at, zone)}</time>
            <b>{formatPriceWithCommas(decimalToCents(paper.amount))}</b>
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
  const resendMutation = useMutation({
    mutationFn: () => withFormErrors(api.call(resendMessage, { params: { code, id } })),
    onSuccess: onSent,
  })
  return (
    <li>
      <span className={s.what}>
        {channel === 'email' ? 'Email' : 'Text'}: {subject}
      </span>
      {stateLabels[state] && <span className="muted">{stateLabels[state]}</span>}
      <time dateTime={at}>{formatDateAndTime(at, zone)}</time>
      <span role="status">{resendMutation.isSuccess && 'Sent again'}</span>
      {may_again && !resendMutation.isSuccess && (
        <DenseButton
          kind="word"
          small
          aria-busy={resendMutation.isPending || undefined}
          onClick={() => resendMutation.isPending || void resendMutation.mutate()}
        >
          Send again
        </DenseButton>
      )}
      <ErrorBanner error={resendMutation.error} />
    </li>
  )
}
