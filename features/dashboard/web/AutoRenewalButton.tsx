import { Suspense, useState } from 'react'
import { useRawLocation } from '#kit/web/router/location.ts'
import { Button } from '#kit/web/widgets/Button.tsx'
import type { Schedule, Service } from '#features/services/services.contract.ts'
import { later } from './later.ts'

// With its dialog: few ever open it.
const EnableAutoRenewal = later('enableAutoRenewal')

/** As a link of another page names it, which leads to the terms at once. */
const useIsAskedFor = (): boolean => new URLSearchParams(useRawLocation().search).has('auto-renewal')

type Props = {
  service: Service
  schedule: Schedule
  /** Asks whether it is to be switched off. */
  onAsk: () => void
  onChange: () => void
}

/** Leads to what switches a plan's auto-renewal on, or to the question whether to switch it off. */
export function AutoRenewalButton({ service, schedule, onAsk, onChange }: Props) {
  /** Null until it has been asked for: then its code comes. */
  const [isOpen, open] = useState<boolean | null>(useIsAskedFor() || null)
  if (service.is_expired) return null
  if (schedule.auto_recharge_enabled)
    return (
      <Button kind="plain" wide onClick={onAsk}>
        Change or turn off auto-renewal
      </Button>
    )
  return (
    <>
      <Button kind="quiet" wide onClick={() => open(true)}>
        ENABLE AUTO-RENEWAL
      </Button>
      {isOpen !== null && (
        <Suspense>
          <EnableAutoRenewal
            open={isOpen}
            schedule={schedule}
            onClose={() => open(false)}
            onEnabled={() => {
              open(false)
              onChange()
            }}
          />
        </Suspense>
      )}
    </>
  )
}
