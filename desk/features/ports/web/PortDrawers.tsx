import { useNavigate } from '#kit/web/router/location.ts'
import type { DeskPort } from '../ports.contract.ts'
import { AskDrawer } from './AskDrawer.tsx'
import { CancelDrawer } from './CancelDrawer.tsx'
import { CorrectDrawer } from './CorrectDrawer.tsx'
import type { PortAct, Told } from './port-acts.ts'

type Props = {
  port: DeskPort
  opened: PortAct | null
  onClose: () => void
  onChanged: () => void
  onTold: (told: Told) => void
}

const kinds = { cancelled: 'good', undecided: 'info', refused: 'warn', over: 'warn' } as const

export function PortDrawers({ port, opened, onClose, onChanged, onTold }: Props) {
  const navigate = useNavigate()
  const done = (told?: Told) => {
    onClose()
    if (told) onTold(told)
    onChanged()
  }
  return (
    <>
      <CorrectDrawer
        port={port}
        open={opened === 'correct'}
        onClose={onClose}
        onSent={(reference) => {
          done()
          navigate(`/ports/${reference}/`)
        }}
      />
      <AskDrawer
        port={port}
        open={opened === 'ask'}
        onClose={onClose}
        onDone={(said) => done({ kind: 'good', said })}
      />
      <CancelDrawer
        port={port}
        open={opened === 'cancel'}
        onClose={onClose}
        onDone={({ outcome, said }) => done({ kind: kinds[outcome], said })}
      />
    </>
  )
}
