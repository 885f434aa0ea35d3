import { useShortcuts } from '#kit/web/desk/use-shortcuts.ts'
import { useNavigate } from '#kit/web/router/location.ts'
import type { PortRow } from '../ports.contract.ts'
import { actionPath, type PortAction } from './port-actions.ts'

type Acts = Record<'take' | 'remind', (reference: string) => void>

export function useRowShortcuts(rows: readonly PortRow[], { take, remind }: Acts): void {
  const navigate = useNavigate()
  const runOnFocusedRow = (act: (row: PortRow) => void) => () => {
    const row = rows.find(({ reference }) => reference === getFocusedReference())
    if (row) act(row)
  }
  const openActionOnFocusedRow = (act: PortAction) =>
    runOnFocusedRow(({ reference }) => navigate(actionPath(reference, act)))
  useShortcuts({
    t: runOnFocusedRow(({ owner, reference }) => owner === null && take(reference)),
    a: runOnFocusedRow(({ act, reference }) =>
      act === 'remind' ? remind(reference) : act === 'ask' && navigate(actionPath(reference, 'ask')),
    ),
    e: openActionOnFocusedRow('correct'),
    x: openActionOnFocusedRow('cancel'),
  })
}

const getFocusedReference = (): string | undefined =>
  document.activeElement?.closest('tr')?.querySelector('[data-row]')?.getAttribute('href')?.split('/')[2]
