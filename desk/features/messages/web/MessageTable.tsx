import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { KeyHint } from '#kit/web/desk/KeyHint.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { useKeys } from '#kit/web/desk/use-keys.ts'
import { minuteOf } from '#desk/features/staff/web/span-words.ts'
import type { MessageList, MessagePage, MessageRow } from '../messages.contract.ts'
import { answerWords, placeWords } from './message-words.ts'
import { messagesPath, type MessagesWish } from './messages.queries.ts'
import type { useSendAgain } from './use-send-again.ts'
import * as s from './messages.module.css'

const columnsOf = (of: MessageList) => [
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

type Props = { page: MessagePage; wish: MessagesWish; sending: ReturnType<typeof useSendAgain> }

export function MessageTable({ page, wish, sending }: Props) {
  const { zone } = useBootstrap().market
  const { of, to, about } = wish
  useKeys({
    m() {
      const reached = document.activeElement?.closest('tr')?.querySelector('[data-message]')
      const row = page.rows.find(({ id }) => id === reached?.getAttribute('data-message'))
      if (row?.may_again) sending.again(row.id)
    },
  })
  const isNarrow = to !== null || about !== null
  return (
    <>
      <DataTable
        caption={of === 'refused' ? 'Refused' : 'Stuck'}
        columns={columnsOf(of)}
        rows={page.rows.map((row) => ({
          key: row.id,
          ...(row.customer.id && { href: `/customers/${row.customer.id}/` }),
          cells: [
            <span key="customer" data-message={row.id}>
              {row.customer.name}
            </span>,
            minuteOf(row.at, zone),
            `${row.channel === 'email' ? 'Email' : 'Text'}: ${row.what}`,
            placeWords(row),
            <span key="answer" className={s.answer}>
              {answerWords(row)}
            </span>,
            row.tries,
            of === 'refused' ? (
              <Again key="do" row={row} sending={sending} />
            ) : (
              row.next_try && minuteOf(row.next_try, zone)
            ),
          ],
        }))}
        empty={isNarrow ? 'No matching messages.' : empty[of]}
        more={(page.next ?? wish.before) && <More wish={wish} next={page.next} />}
      />
      {of === 'refused' && (
        <p className={s.keys}>
          <KeyHint keys="J" /> <KeyHint keys="K" /> up and down <KeyHint keys="M" /> send again
        </p>
      )}
    </>
  )
}

function Again({ row, sending: { again, sent, pending } }: { row: MessageRow; sending: Props['sending'] }) {
  if (sent.has(row.id)) return <TonePill tone="good">Sent again</TonePill>
  return (
    <span className={s.again}>
      {row.is_reached && <TonePill tone="plain">Reached since then</TonePill>}
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

function More({ wish, next }: { wish: MessagesWish; next: string | null }) {
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
