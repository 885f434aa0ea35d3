import { useNavigate } from '#kit/web/router/location.ts'
import type { DeskPort } from '../ports.contract.ts'
import { AskCustomerDrawer } from './AskCustomerDrawer.tsx'
import { CancelDrawer } from './CancelDrawer.tsx'
import { CorrectionDrawer } from './CorrectionDrawer.tsx'
import type { PortAction, ActionResult } from './port-actions.ts'

type Props = {
  port: DeskPort
  opened: PortAction | null
  onClose: () => void
  onChanged: () => void
  onTold: (told: ActionResult) => void
}

const bannerKinds = { cancelled: 'good', undecided: 'info', refused: 'warn', over: 'warn' } as const

export function PortDrawers({ port, opened, onClose, onChanged, onTold }: Props) {
  const navigate = useNavigate()
  const handleDone = (result?: ActionResult) => {
    onClose()
    if (result) onTold(result)
    onChanged()
  }
  return (
    <>
      <CorrectionDrawer
        port={port}
        open={opened === 'correct'}
        onClose={onClose}
        onSent={(reference) => {
          handleDone()
          navigate(`/ports/${reference}/`)
        }}
      />
      <AskCustomerDrawer
        port={port}
        open={opened === 'ask'}
        onClose={onClose}
        onDone={(text) => handleDone({ kind: 'good', said: text })}
      />
      <CancelDrawer
        port={port}
        open={opened === 'cancel'}
        onClose={onClose}
        onDone={({ outcome, said }) => handleDone({ kind: bannerKinds[outcome], said })}
      />
    </>
  )
}
