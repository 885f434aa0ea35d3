import { useKeys } from '#kit/web/desk/use-keys.ts'
import { useNavigate } from '#kit/web/router/location.ts'
import type { PortRow } from '../ports.contract.ts'
import { pathOfAct, type PortAct } from './port-acts.ts'

type Acts = Record<'take' | 'remind', (reference: string) => void>

export function useRowKeys(rows: readonly PortRow[], { take, remind }: Acts): void {
  const navigate = useNavigate()
  const onReached = (act: (row: PortRow) => void) => () => {
    const row = rows.find(({ reference }) => reference === referenceReached())
    if (row) act(row)
  }
  const begin = (act: PortAct) => onReached(({ reference }) => navigate(pathOfAct(reference, act)))
  useKeys({
    t: onReached(({ owner, reference }) => owner === null && take(reference)),
    a: onReached(({ act, reference }) =>
      act === 'remind' ? remind(reference) : act === 'ask' && navigate(pathOfAct(reference, 'ask')),
    ),
    e: begin('correct'),
    x: begin('cancel'),
  })
}

const referenceReached = (): string | undefined =>
  document.activeElement?.closest('tr')?.querySelector('[data-row]')?.getAttribute('href')?.split('/')[2]
