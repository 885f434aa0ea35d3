import { Drawer } from '#kit/web/desk/Drawer.tsx'
import { CallerCheck } from '#desk/features/caller-verification/web/CallerCheck.tsx'
import { useCustomer } from './use-customer.ts'

type Props = { id: string; open: boolean; onClose: () => void; onDone: () => void }

export function CallerDrawer({ id, open, onClose, onDone }: Props) {
  const { refresh, call } = useCustomer(id)
  return (
    <Drawer title="Verify caller" open={open} onClose={onClose}>
      {open && (
        <CallerCheck
          id={id}
          call={call}
          onVerified={async () => {
            await refresh()
            onClose()
            onDone()
          }}
        />
      )}
    </Drawer>
  )
}
