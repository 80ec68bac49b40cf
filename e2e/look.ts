import { chromium } from '@playwright/test';
import { chromiumLaunch } from './chromium.ts';
const base='http://127.0.0.1:3321';
const api='http://127.0.0.1:3320';
const lang=process.argv[2]??'en';
const browser=await chromium.launch(await chromiumLaunch());
const login=async(email:string)=>(await (await fetch(api+'/access/login',{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify({email,password:'sameway-demo'})})).json()).data;
const call=async(s:any,m:string,p:string,b?:any)=>{const r=await (await fetch(api+p,{method:m,headers:{'content-type':'application/json',authorization:'Bearer '+s.accessToken},...(b?{body:JSON.stringify(b)}:{})})).json(); if(r.code!==200) console.log(p,JSON.stringify(r)); return r.data};
const [d,p,a]=await Promise.all(['driver','passenger','admin'].map(x=>login(x+'@demo.sameway.example')));
const open=async(s:any,w=390,h=844)=>{const c=await browser.newContext({baseURL:base,viewport:{width:w,height:h},locale:lang==='zh'?'zh-CN':'en-US',timezoneId:'America/Los_Angeles',reducedMotion:'reduce'}); await c.addInitScript(([k,l])=>{localStorage.setItem('sameway.introSeen','true');localStorage.setItem('sameway.language',l!); if(k)localStorage.setItem('sameway.session',k)},[s?JSON.stringify(s):'',JSON.stringify(lang)]); const pg=await c.newPage(); pg.on('pageerror',e=>console.log('ERR',e.message)); pg.on('console',m=>{if(m.type()==='error')console.log('console',m.text().slice(0,200))}); return pg;};
const shot=async(pg:any,n:string)=>{await pg.waitForTimeout(1500); await pg.screenshot({path:`/tmp/ev-shots/${n}.${lang}.png`})};
const {now}=(await (await fetch(api+'/app/config')).json()).data;
const day=new Date(Date.parse(now)+5*864e5).toISOString().slice(0,10);
const place=(n:string,lon:number,lat:number)=>({name:n,detail:'Santa Cruz',lon,lat});
let ev=(await call(a,'GET','/event/list?scope=mine&text=Lantern')).events[0];
if(!ev){ ev=await call(a,'POST','/event/create',{name:'Lantern walk along the river',description:'Bring a light. We walk from the levee to the beach.',place:place('Capitola Village',-121.9533,36.9722),starts:day+'T18:00',ends:day+'T20:30',expectedPeople:120});
 const s=Date.parse(ev.startsAt), e=Date.parse(ev.endsAt); const iso=(x:number)=>new Date(x).toISOString();
 await call(d,'POST','/event/join-as-driver',{id:ev.id,from:place('Mission Street',-122.0408,36.9689),seats:2,vehicleId:null,there:{departsAt:iso(s-60*6e4),flexMinutes:30},back:{departsAt:iso(e),flexMinutes:30}});
 await call(p,'POST','/event/join-as-passenger',{id:ev.id,from:place('Pacific Avenue',-122.0263,36.9741),seats:1,there:{earliestAt:iso(s-80*6e4),latestAt:iso(s-35*6e4)},back:{earliestAt:iso(e),latestAt:iso(e+45*6e4)}});
}
const which=process.argv[3]??'all';
if(which==='all'||which==='a'){
 const pg=await open(a);
 await pg.goto('/pages/events/events'); await shot(pg,'list');
 await pg.goto('/pages/events/events?id='+ev.id); await shot(pg,'detail-org');
 await pg.locator('.pane').first().evaluate((x:any)=>x.scrollTo(0,700)); await shot(pg,'detail-org2');
 await pg.goto('/pages/events/plan?id='+ev.id); await shot(pg,'plan');
 await pg.goto('/pages/events/poster?id='+ev.id); await shot(pg,'poster'); await pg.emulateMedia({media:'print'}); await shot(pg,'poster-print'); await pg.emulateMedia({media:'screen'});
 await pg.goto('/pages/events/edit'); await shot(pg,'edit');
 await pg.goto('/pages/events/eventJoinAsPassenger?id='+ev.id); await shot(pg,'join-pass');
 await pg.locator('.pane').first().evaluate((x:any)=>x.scrollTo(0,600)); await shot(pg,'join-pass2');
 await pg.goto('/event/embed?id='+ev.id+'&lang='+lang).catch(()=>{}); await pg.setViewportSize({width:340,height:270}); await shot(pg,'embed');
}
if(which==='all'||which==='d'){
 const pg=await open(d,1440,900);
 await pg.goto('/pages/events/events?id='+ev.id); await shot(pg,'detail-desk');
 await pg.goto('/pages/events/eventJoinAsDriver?id='+ev.id); await shot(pg,'join-drv-desk');
}
await browser.close();
