import { ScreensSection } from './ScreensSection.tsx'
import { StepsSection } from './StepsSection.tsx'
import { WayfindingSection } from './WayfindingSection.tsx'

/** Whole screens in frames, and what tells where one is. */
export default function ScreensPart() {
  return (
    <>
      <WayfindingSection />
      <StepsSection />
      <ScreensSection />
    </>
  )
}
