import { useShortcuts } from '#kit/web/desk/use-shortcuts.ts'
import { useNavigate } from '#kit/web/router/location.ts'
import type { PortRow } from '../ports.contract.ts'
import { pathOfAct, type PortAct } from './port-acts.ts'

type Acts = Record<'take' | 'remind', (reference: string) => void>

export function useRowKeys(rows: readonly PortRow[], { take, remind }: Acts): void {
  const navigate = useNavigate()
  const onFocusedRow = (act: (row: PortRow) => void) => () => {
    const row = rows.find(({ reference }) => reference === focusedReference())
    if (row) act(row)
  }
  const openPage = (act: PortAct) => onFocusedRow(({ reference }) => navigate(pathOfAct(reference, act)))
  useShortcuts({
    t: onFocusedRow(({ owner, reference }) => owner === null && take(reference)),
    a: onFocusedRow(({ act, reference }) =>
      act === 'remind' ? remind(reference) : act === 'ask' && navigate(pathOfAct(reference, 'ask')),
    ),
    e: openPage('correct'),
    x: openPage('cancel'),
  })
}

const focusedReference = (): string | undefined =>
  document.activeElement?.closest('tr')?.querySelector('[data-row]')?.getAttribute('href')?.split('/')[2]
