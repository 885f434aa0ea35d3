import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import * as s from './Tabs.module.css'

type Tab = { title: string; content: ReactNode }

/**
 * Shows several views of the same thing, one at a time, following the WAI-ARIA tabs pattern. The arrow keys wrap around, Home and End go to
 * the first and last tab, and a view is shown as soon as its tab is focused. `label` names the whole set; titles must be unique.
 */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const id = useId()
  const [shown, show] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const currentTab = Math.min(shown, tabs.length - 1)

  function onKeyDown(event: KeyboardEvent) {
    const { key, altKey, ctrlKey, metaKey } = event
    const next = getNextTabIndex(key, currentTab, tabs.length)
    if (next === null || altKey || ctrlKey || metaKey) return
    event.preventDefault()
    show(next)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }

  return (
    <>
      <div ref={list} className={s.list} role="tablist" aria-label={label}>
        {tabs.map(({ title }, index) => (
          <button
            key={title}
            type="button"
            role="tab"
            className={s.tab}
            id={`${id}tab${index}`}
            aria-selected={index === currentTab}
            aria-controls={`${id}panel${index}`}
            tabIndex={index === currentTab ? 0 : -1}
            onClick={() => show(index)}
            onKeyDown={onKeyDown}
          >
            {title}
          </button>
        ))}
      </div>
      {tabs.map(({ title, content }, index) => (
        // A tab panel may contain nothing focusable, so the panel itself comes next in the tab order after its tab.
        <div
          key={title}
          role="tabpanel"
          id={`${id}panel${index}`}
          aria-labelledby={`${id}tab${index}`}
          hidden={index !== currentTab}
          tabIndex={index === currentTab ? 0 : undefined}
        >
          {content}
        </div>
      ))}
    </>
  )
}

function getNextTabIndex(key: string, from: number, count: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return (from + 1) % count
    case 'ArrowLeft':
      return (from + count - 1) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
