import { useLayoutEffect, useRef } from 'react'
import { Link } from '#kit/web/Link.tsx'
import { ResultText } from './ResultText.tsx'
import type { DisplayedGroup, DisplayedRow } from './matching-menu-entries.ts'
import * as s from './Palette.module.css'

type Props = Omit<GroupProps, 'group'> & {
  groups: DisplayedGroup[]
  /** Whether the displayed rows belong to an earlier search text. */
  isBusy: boolean
}

export function ResultList({ groups, isBusy, ...group }: Props) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView?.({ block: 'nearest' })
  }, [group.chosen])
  return (
    <div ref={list} id={`${group.id}list`} role="listbox" aria-label="Found" aria-busy={isBusy} tabIndex={-1}>
      {groups.map((each) => (
        <Group key={each.kind} {...group} group={each} />
      ))}
    </div>
  )
}

type GroupProps = {
  id: string
  group: DisplayedGroup
  rows: DisplayedRow[]
  chosen: number
  onPoint: (index: number) => void
  onClose: () => void
}

function Group({ id, group, rows, chosen, onPoint, onClose }: GroupProps) {
  const title = `${id}${group.kind}`
  return (
    <div role="group" aria-labelledby={title}>
      <p id={title} role="presentation" className={s.title}>
        <span>{group.title}</span>
        {group.too_long && <span>: search took too long and was stopped</span>}
        {group.more && <span> · more results, be more specific</span>}
      </p>
      {group.rows.map((row) => {
        const index = rows.indexOf(row)
        return (
          <Link
            key={index}
            id={`${id}${index}`}
            role="option"
            aria-selected={index === chosen}
            tabIndex={-1}
            href={row.href}
            className={s.row}
            onClick={onClose}
            onMouseMove={() => index !== chosen && onPoint(index)}
          >
            <ResultText row={row} />
          </Link>
        )
      })}
    </div>
  )
}
