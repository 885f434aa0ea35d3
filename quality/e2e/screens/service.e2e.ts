import { serviceScreens } from './service.screens.ts'
import { checkScreens } from './check-screens.ts'

checkScreens('service', serviceScreens)
