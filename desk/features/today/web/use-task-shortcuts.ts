import type { RefObject } from 'react'
import { moveRowFocus } from '#kit/web/desk/row-focus.ts'
import { useShortcuts } from '#kit/web/desk/use-shortcuts.ts'
import type { Task } from '../today.contract.ts'

type TaskActions = {
  takeable: readonly Task[]
  selected: readonly Task[]
  toggle(task: Task): void
  take(tasks: readonly Task[]): void
}

/** J and K move between tasks, S selects the focused task, and T takes the selected tasks, or the focused task if none is selected. */
export function useTaskShortcuts(
  list: RefObject<HTMLElement | null>,
  { takeable, selected, toggle, take }: TaskActions,
): void {
  const focusedTask = (): Task | undefined => {
    const id = document.activeElement?.closest('[data-task]')?.getAttribute('data-task')
    return takeable.find((task) => task.id === id)
  }
  useShortcuts({
    j: () => moveRowFocus(list.current, 1),
    k: () => moveRowFocus(list.current, -1),
    s() {
      const task = focusedTask()
      if (task) toggle(task)
    },
    t() {
      const task = focusedTask()
      if (selected.length > 0) take(selected)
      else if (task) take([task])
    },
  })
}
