import { ScreensSection } from './ScreensSection.tsx'
import { StepsSection } from './StepsSection.tsx'
import { WayfindingSection } from './WayfindingSection.tsx'

export default function ScreensPart() {
  return (
    <>
      <WayfindingSection />
      <StepsSection />
      <ScreensSection />
    </>
  )
}
