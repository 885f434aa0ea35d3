import { checkScreens } from './check-screens.ts'
import { visitorScreens } from './visitor.screens.ts'

checkScreens('visitor', visitorScreens)
