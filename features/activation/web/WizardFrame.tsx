import type { ReactNode } from 'react'
import { Columns, PageTitle } from '#kit/web/widgets/Layout.tsx'
import { StepBar } from '#kit/web/widgets/StepBar.tsx'

// Both variants have four steps, and the one that ports "starts with Number Transfer Details" (spec 2.3): that title takes
// the SIM pack's place, whose step is over once we know that a number comes along. So the bar never grows under its reader.
const titles = {
  sim: 'SIM Pack Details',
  porting: 'Number Transfer Details',
  personal: 'Personal Details',
  plan: 'Prepay Plan Details',
  payment: 'Payment Details',
}

export type Step = keyof typeof titles

export type FrameProps = {
  step: Step
  /** Whether a number is brought along. */
  porting: boolean
  title: string
  intro?: ReactNode
  /** Stands beside the page on a desktop; on a phone where `asideNarrow` says. */
  aside?: ReactNode
  asideNarrow?: 'above' | 'below' | 'hidden'
  /** The page's whole width instead of a form's column. */
  wide?: boolean
  children: ReactNode
}

/** How a step of the wizard looks: the step bar, the heading, the form's column and what stands beside it. */
export function WizardFrame({ step, porting, title, intro, aside, asideNarrow, wide = false, children }: FrameProps) {
  const steps: Step[] = [porting ? 'porting' : 'sim', 'personal', 'plan', 'payment']
  return (
    <>
      <StepBar steps={steps.map((each) => titles[each])} current={steps.indexOf(step)} />
      <PageTitle lead={intro}>{title}</PageTitle>
      {wide ? children : <Columns aside={aside} narrow={asideNarrow}>{children}</Columns>}
    </>
  )
}
