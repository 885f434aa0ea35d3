import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { KeyHint } from '#kit/web/desk/KeyHint.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { useShortcuts } from '#kit/web/desk/use-shortcuts.ts'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import type { MessageList, MessagePage, MessageRow } from '../messages.contract.ts'
import { responseLabel, domainLabel } from './message.labels.ts'
import { messagesPath, type MessagesFilter } from './messages.queries.ts'
import type { useResend } from './use-resend.ts'
import * as s from './messages.module.css'

const buildColumns = (of: MessageList) => [
  { title: 'Customer', isName: true },
  { title: of === 'refused' ? 'When' : 'Waiting since', isShort: true },
  { title: 'Message' },
  { title: 'To' },
  { title: 'Last response' },
  { title: 'Attempts', isFigure: true },
  of === 'refused' ? { title: 'Action', isShort: true } : { title: 'Next attempt', isShort: true },
]

const empty: Record<MessageList, string> = {
  refused: 'No messages were refused.',
  stuck: 'No messages are stuck.',
}

type Props = { page: MessagePage; wish: MessagesFilter; sending: ReturnType<typeof useResend> }

export function MessageTable({ page, wish, sending }: Props) {
  const { zone } = useBootstrap().market
  const { of, to, about } = wish
  useShortcuts({
    m() {
      const focusedCell = document.activeElement?.closest('tr')?.querySelector('[data-message]')
      const row = page.rows.find(({ id }) => id === focusedCell?.getAttribute('data-message'))
      if (row?.may_again) sending.again(row.id)
    },
  })
  const isFiltered = to !== null || about !== null
  return (
    <>
      <DataTable
        caption={of === 'refused' ? 'Refused' : 'Stuck'}
        columns={buildColumns(of)}
        rows={page.rows.map((row) => ({
          key: row.id,
          ...(row.customer.id && { href: `/customers/${row.customer.id}/` }),
          cells: [
            <span key="customer" data-message={row.id}>
              {row.customer.name}
            </span>,
            formatDayAndTime(row.at, zone),
            `${row.channel === 'email' ? 'Email' : 'Text'}: ${row.what}`,
            domainLabel(row),
            <span key="answer" className={s.answer}>
              {responseLabel(row)}
            </span>,
            row.tries,
            of === 'refused' ? (
              <ResendCell key="do" row={row} sending={sending} />
            ) : (
              row.next_try && formatDayAndTime(row.next_try, zone)
            ),
          ],
        }))}
        empty={isFiltered ? 'No matching messages.' : empty[of]}
        more={(page.next ?? wish.before) && <Pagination wish={wish} next={page.next} />}
      />
      {of === 'refused' && (
        <p className={s.keys}>
          <KeyHint keys="J" /> <KeyHint keys="K" /> up and down <KeyHint keys="M" /> send again
        </p>
      )}
    </>
  )
}

function ResendCell({ row, sending: { again, sent, pending } }: { row: MessageRow; sending: Props['sending'] }) {
  if (sent.has(row.id)) return <TonePill tone="good">Sent again</TonePill>
  return (
    <span className={s.again}>
      {row.is_reached && <TonePill tone="plain">Customer reached later</TonePill>}
      {row.may_again && (
        <DenseButton small aria-busy={pending === row.id || undefined} onClick={() => again(row.id)}>
          Send again
          <span className="visually-hidden">
            : {row.what}, {row.customer.name}
          </span>
        </DenseButton>
      )}
    </span>
  )
}

function Pagination({ wish, next }: { wish: MessagesFilter; next: string | null }) {
  const [first, more] = wish.of === 'refused' ? ['Newest', 'Older'] : ['First', 'More']
  return (
    <>
      {wish.before && (
        <DenseButton small href={messagesPath({ ...wish, before: null })}>
          {first}
        </DenseButton>
      )}{' '}
      {next && (
        <DenseButton small href={messagesPath({ ...wish, before: next })}>
          {more}
        </DenseButton>
      )}
    </>
  )
}
