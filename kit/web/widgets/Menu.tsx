import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { Link } from '../Link.tsx'
import { Icon } from './Icon.tsx'
import { useDismissal } from './use-dismissal.ts'
import * as s from './Menu.module.css'

export type MenuItem = { text: string; url: string } | { text: string; onSelect: () => void }

export function Menu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  const ref = useRef<HTMLDivElement>(null)
  const id = useId()
  const [opened, setOpened] = useState<'first' | 'last' | null>(null)
  const getButton = () => ref.current?.querySelector<HTMLElement>('button')
  const close = (focusBack: boolean) => {
    setOpened(null)
    if (focusBack) getButton()?.focus()
  }
  useDismissal(ref, opened !== null, close)
  useLayoutEffect(() => {
    if (opened)
      listMenuItems(ref.current)
        .at(opened === 'first' ? 0 : -1)
        ?.focus()
  }, [opened])

  function handleMenuButtonKey(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    setOpened(event.key === 'ArrowDown' ? 'first' : 'last')
  }

  return (
    <div ref={ref} className={s.menu}>
      <button
        type="button"
        className={s.button}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={opened !== null}
        aria-controls={opened ? id : undefined}
        onClick={() => setOpened(opened ? null : 'first')}
        onKeyDown={handleMenuButtonKey}
      >
        <Icon name="more" />
      </button>
      {opened && (
        <div
          id={id}
          role="menu"
          tabIndex={-1}
          className={s.list}
          aria-label={label}
          onKeyDown={(event) => moveFocus(ref.current, event)}
        >
          {items.map((item) => (
            <Item key={item.text} item={item} onChosen={() => close(true)} />
          ))}
        </div>
      )}
    </div>
  )
}

function Item({ item, onChosen }: { item: MenuItem; onChosen: () => void }) {
  const parts = { role: 'menuitem', tabIndex: -1, className: s.item, children: item.text }
  if ('url' in item) return <Link {...parts} href={item.url} onClick={onChosen} />
  const chooseItem = () => {
    onChosen()
    item.onSelect()
  }
  return <button {...parts} type="button" onClick={chooseItem} />
}

const listMenuItems = (menu: HTMLElement | null): HTMLElement[] => [
  ...(menu?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? []),
]

function moveFocus(menu: HTMLElement | null, event: KeyboardEvent): void {
  const items = listMenuItems(menu)
  const currentIndex = items.indexOf(document.activeElement as HTMLElement)
  const target = findNextItem(event.key, items, currentIndex)
  // The space bar does not activate a link natively, so the menu clicks the item.
  if (event.key === ' ') items[currentIndex]?.click()
  if (target || event.key === ' ') event.preventDefault()
  target?.focus()
}

function findNextItem(key: string, items: HTMLElement[], present: number): HTMLElement | undefined {
  if (key === 'ArrowDown') return items[(present + 1) % items.length]
  if (key === 'ArrowUp') return items.at(present <= 0 ? -1 : present - 1)
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  if (key.length > 1 || key === ' ') return undefined
  const itemsAfterCurrent = [...items.slice(present + 1), ...items.slice(0, present + 1)]
  return itemsAfterCurrent.find((item) => item.textContent.toLowerCase().startsWith(key.toLowerCase()))
}
