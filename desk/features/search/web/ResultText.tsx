import type { DeskIconName } from '#kit/web/desk/DeskIcon.tsx'
import { IconMark } from '#kit/web/desk/IconMark.tsx'
import type { DisplayedResultType, DisplayedRow } from './matching-menu-entries.ts'
import * as s from './FoundWords.module.css'

const icons: Record<DisplayedResultType, DeskIconName> = {
  number: 'phone',
  port: 'swap',
  sim: 'sim',
  card: 'card',
  customer: 'user',
  activation: 'sim',
  order: 'receipt',
  voucher: 'gift',
  do: 'arrow',
}

export function ResultText({ row }: { row: DisplayedRow }) {
  const { kind, hit, name, email, detail, state } = row
  const person = kind === 'customer' ? (hit === name ? email : name) : name
  return (
    <>
      <IconMark icon={icons[kind]} />
      <span className={s.words}>
        <span className={s.hit}>
          <HighlightedHit row={row} />
        </span>
        <span className={s.detail}>{[person, detail].filter(Boolean).join(' · ')}</span>
      </span>
      <span className={s.state}>{state}</span>
    </>
  )
}

function HighlightedHit({ row: { hit, mark } }: { row: DisplayedRow }) {
  if (!mark) return <span>{hit}</span>
  const end = mark.start + mark.length
  return (
    <>
      <span>{hit.slice(0, mark.start)}</span>
      <mark className={s.mark}>{hit.slice(mark.start, end)}</mark>
      <span>{hit.slice(end)}</span>
    </>
  )
}
