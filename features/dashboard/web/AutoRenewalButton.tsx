import { Suspense, useState } from 'react'
import { useRawLocation } from '#kit/web/router/location.ts'
import { Button } from '#kit/web/widgets/Button.tsx'
import type { Schedule, Service } from '#features/services/services.contract.ts'
import { createLazyComponent } from './create-lazy-component.ts'

const EnableAutoRenewal = createLazyComponent('enableAutoRenewal')

const useHasAutoRenewalParam = (): boolean => new URLSearchParams(useRawLocation().search).has('auto-renewal')

type Props = {
  service: Service
  schedule: Schedule
  onAsk: () => void
  onChange: () => void
}

export function AutoRenewalButton({ service, schedule, onAsk, onChange }: Props) {
  /** Whether the dialog is open. `null` means that it has never been opened, so its code has not been loaded yet. */
  const [isOpen, setOpen] = useState<boolean | null>(useHasAutoRenewalParam() || null)
  if (service.is_expired) return null
  if (schedule.auto_recharge_enabled)
    return (
      <Button kind="plain" wide onClick={onAsk}>
        Change or turn off auto-renewal
      </Button>
    )
  return (
    <>
      <Button kind="quiet" wide onClick={() => setOpen(true)}>
        ENABLE AUTO-RENEWAL
      </Button>
      {isOpen !== null && (
        <Suspense>
          <EnableAutoRenewal
            open={isOpen}
            schedule={schedule}
            onClose={() => setOpen(false)}
            onEnabled={() => {
              setOpen(false)
              onChange()
            }}
          />
        </Suspense>
      )}
    </>
  )
}
