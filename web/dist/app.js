var me,Ai,Qc,mn,Ls,Mo,Li,So,qi,$s,qs,Oi,zr=Symbol.for("pv"),Do={},Ro=[],Jc=/^m(i|n|o|s|text|space)$/,Fs=Array.isArray,$i=Ro.slice,qn=Object.assign;function Ln(e){
e&&e.parentNode&&e.remove()}function Eo(e,t,n,r,o){var l={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:zr,__v:o||++Ai,__i:-1,__u:0};return!o&&me.vnode&&me.
vnode(l),l}function te(e){return e.children}function Po(e,t){this.props=e,this.context=t,this.__g=0}function gn(e,t){if(t==null)return e.__&&gn(e.__,e.__i+1);for(var n;t<e.
__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:gn(e)}function Xc(e){var t,n=e.__v,r=n.__e,o=[],l=[],a=e.__P;
a&&((t=qn({constructor:zr},n)).__v=n.__v+1,me.vnode&&me.vnode(t),zs(a,t,n,e.__n,a.namespaceURI,32&n.__u?[r]:null,o,r||gn(n),32&n.__u,l),t.__v=n.__v,t.__.__k[t.__i]=
t,Ni(o,t,l),n.__=n.__e=null,t.__e!=r&&Fi(t))}function Fi(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),
Fi(e)}function Os(e){(8&e.__g||(e.__g|=8,mn.push(e),Mo++))&&Ls==me.debounceRendering||((Ls=me.debounceRendering)||queueMicrotask)(zi)}function zi(){try{for(var e,
t=1;mn.length;)mn.length>t&&mn.sort(Li),e=mn.shift(),t=mn.length,8&e.__g&&Xc(e)}finally{(Mo=mn.length)&&(Ls||queueMicrotask)(zi)}}function Gi(e,t,n,r,o,l,a,u,d,m,h){
var f,b,_,k,M,E,D=r.__k||Ro,v=t.length;for(d=ed(n,t,D,d,v),f=0;f<v;f++)(_=n.__k[f])!=null&&(b=~_.__i&&D[_.__i]||Do,_.__i=f,E=zs(e,_,b,o,l,a,u,d,m,h),k=_.__e,(b.
ref!=_.ref||8&b.__u)&&(b.ref&&Gs(b.ref,null,_,b),_.ref&&h.push(_.ref,_.__c||k,_)),M=M||k,4&_.__u?(d=Ui(_,d,e,!b.__v),b.__e&&(b.__e=null)):typeof _.type=="functi\
on"&&E!==void 0?d=E:k&&(d=k.nextSibling),_.__u&=-21);return n.__e=M,d}function ed(e,t,n,r,o){var l,a,u,d,m,h,f,b,_,k=n.length,M=k,E=0,D=0,v=e.__k=Array(o);for(l=
0;l<o;l++)(a=t[l])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=v[l]=Eo(null,a):Fs(a)?a=v[l]=Eo(te,{children:a}):
a.constructor===zr&&a.__b?a=v[l]=Eo(a.type,a.props,a.key,a.ref,a.__v):v[l]=a,d=l+E,a.__=e,a.__b=e.__b+1,u=null,~(m=a.__i=td(a,n,d,M))&&(M--,(u=n[m])&&(u.__u|=2)),
u&&u.__v?(a.__u|=16,m==d-1?E--:m==d+1?E++:m!=d&&(m>d?E--:E++,D=1)):(~m||(o>k?E--:o<k&&E++),typeof a.type!="function"&&(a.__u|=4))):v[l]=null;if(D){for(h=[],f=[],
l=0;l<o;l++)if((a=v[l])&&16&a.__u){for(E=0,b=h.length;E<b;)h[_=E+b>>1]<a.__i?E=_+1:b=_;h[E]=a.__i,f[l]=E+1}for(E=h.length;l--;)f[l]&&(f[l]==E?E--:v[l].__u|=4)}if(M)
for(l=0;l<k;l++)!(u=n[l])||2&u.__u||(u.__e==r&&(r=gn(u)),Us(u,u));return r}function Ui(e,t,n,r){var o,l,a,u;if(typeof e.type=="function"){if(e.props.__P)return t;
if(o=e.__k)for(l=0;l<o.length;l++)o[l]&&(o[l].__=e,t=Ui(o[l],t,n,!1));return t}for(t&&!t.parentNode&&(t=gn(e))&&!t.parentNode&&(t=null),a=e.__e,u=t;u&&u.nodeType==
8;)u=u.nextSibling;for(a!=u&&(!r&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith(
"$s"););return t}function td(e,t,n,r){var o,l=e.key,a=e.type,u=t[n],d=u&&!(2&u.__u);if(u===null&&l==null||d&&l==u.key&&a==u.type)return n;if(r>(d?1:0)){for(o=n-1;o>=0;o--)if((u=
t[o])&&!(2&u.__u)&&l==u.key&&a==u.type)return o;for(o=n+1;o<t.length;o++)if((u=t[o])&&!(2&u.__u)&&l==u.key&&a==u.type)return o}return-1}function Ri(e,t,n){n==null&&
(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function To(e,t,n,r,o){var l,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.
cssText=r=""),r)for(t in r)n&&t in n||Ri(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||Ri(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),
typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(a=qs[t]||(qs[t]=nd(t)),(e.__a||(e.__a={}))[t]=$s,l=t!=(t=t.replace(qi,"$1")),(t=t.slice(2))[0]<"a"&&
(t=t.toLowerCase()),n?e.addEventListener(t,a,l):e.removeEventListener(t,a,l));else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)
try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function nd(e){
return function(t){var n=this.__e;if(n){if(n=n[e],t[So]==null)t[So]=$s++;else if(t[So]<this.__a[e])return;return n(me.event?me.event(t):t)}}}function zs(e,t,n,r,o,l,a,u,d,m){
var h,f,b,_,k,M,E,D,v,R,T,Y,$,Z,I,J,N,C,W=t.type;if(t.constructor!==zr)return null;128&n.__u&&(d=32&n.__u,h=n.__c.__z)&&(t.__u|=d,f=l=[],h.nodeType==8?u=Co(h,l):
l.push(h),u=l[0]||u),(h=me.__b)&&h(t);e:if(typeof W=="function"){b=a.length;try{if(D=t.props,v=(h=W.prototype)&&h.render,R=(h=W.contextType)&&r[h.__c],T=h?R?R.props.
value:h.__:r,(_=n.__c)?(t.__c=_,2&_.__g&&(_.__g|=1)):(v?t.__c=_=new W(D,T):(t.__c=_=new Po(D,T),_.constructor=W,_.render=od),R&&R.sub(_),_.state||(_.state={}),_.
__n=r,_.__g|=8,_.__h=[],_.__k=[]),v&&(_.__s||(_.__s=_.state),W.getDerivedStateFromProps&&(_.__s==_.state&&(_.__s=qn({},_.__s)),qn(_.__s,W.getDerivedStateFromProps(
D,_.__s)))),k=_.props,M=_.state,_.__v=t,n.__c){if(D!==k&&v&&!W.getDerivedStateFromProps&&_.componentWillReceiveProps&&_.componentWillReceiveProps(D,T),t.__v==n.
__v&&!(8&_.__g)||!(4&_.__g)&&_.shouldComponentUpdate&&_.shouldComponentUpdate(D,_.__s,T)===!1){t.__v!=n.__v&&(_.props=D,_.state=_.__s,_.__g&=-9),t.__e=n.__e,t.__k=
n.__k,t.__k.some(function(L){L&&(L.__=t)}),Ro.push.apply(_.__h,_.__k),_.__k=[],_.__h.length&&a.push(_),u=gn(n);break e}_.componentWillUpdate&&_.componentWillUpdate(
D,_.__s,T),v&&_.componentDidUpdate&&_.__h.push(function(){_.componentDidUpdate(k,M,E)})}else v&&!W.getDerivedStateFromProps&&_.componentWillMount&&_.componentWillMount(),
v&&_.componentDidMount&&_.__h.push(_.componentDidMount);_.context=T,_.props=D,_.__P=e,_.__g&=-5,Y=me.__r,$=v?25:0;do _.__g&=-9,Y&&Y(t),h=_.render(_.props,_.state=
_.__s,_.context);while(8&_.__g&&++$<25);v&&(Ro.push.apply(_.__h,_.__k),_.__k=[]),_.state=_.__s,_.getChildContext&&(r=qn({},r,_.getChildContext())),v&&n.__c&&_.getSnapshotBeforeUpdate&&
(E=_.getSnapshotBeforeUpdate(k,M)),Z=h&&h.type===te&&h.key==null?h.props.children:h,D.__P&&(h=u,o=(e=D.__P).namespaceURI,d=l=null,n.props&&n.props.__P!=e&&(n.__k.
some(function(L){L&&Us(L,L)}),n.__k=null),u=n.__k?gn(n,0):null),u=Gi(e,Fs(Z)?Z:[Z],t,n,r,o,l,a,u,d,m),D.__P&&(t.__e=null,u=h),t.__u&=-161,f&&f.some(Ln),_.__h.length&&
a.push(_),1&_.__g&&(_.__g&=-4)}catch(L){if(a.length=b,t.__v=null,d||l)if(L&&L.then){if(t.__u|=128|d,l){for(~(N=l.indexOf(u||void 0))||(N=l.length);(C=l[N-1])&&C.
nodeType==8;)N--;for(;N<l.length;N++)if(C=l[N])if(l[N]=null,I){if(C==J)break}else{if(C.nodeType!=8)break;C.data.startsWith("$s")&&(J=Co(I=C))}}if(!I){for(;u&&u.
nodeType==8&&u.nextSibling;)u=u.nextSibling;I=u}(h=Co(I=t.__c.__z||(t.__c.__z=I)))?(t.__e=I,u=h):t.__e=u,u=u&&u.nextSibling}else l&&l.some(Ln);else t.__e=n.__e;
t.__k||(t.__k=n.__k||[]),L&&L.then||Hi(t),me.__e(L,t,n)}}else u=t.__e=rd(n.__e,t,n,r,o,l,a,d,m,e);return(h=me.diffed)&&h(t),u}function Co(e,t){if(e&&e.nodeType==
8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(
e)}}function Hi(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Hi))}function Ni(e,t,n){for(var r=0;r<n.length;)Gs(n[r++],n[r++],n[r++]);me.__c&&me.__c(t,e),e.some(
function(o){try{e=o.__h,o.__h=[],e.some(function(l){l.call(o)})}catch(l){me.__e(l,o.__v)}})}function rd(e,t,n,r,o,l,a,u,d,m){var h,f,b,_,k,M,E,D,v=n.props||Do,R=t.
props,T=t.type;if(T=="svg"?o="http://www.w3.org/2000/svg":T=="math"?o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),l){for(h=0;h<l.
length;h++)if((k=l[h])&&(T?k.localName==T:k.nodeType==3)){e=k,l[h]=null;break}}if(!e){if(D=m.ownerDocument||document,!T)return D.createTextNode(R);e=D.createElementNS(
o,T,R.is?R:m),u&&(me.__m&&me.__m(t,l),u=!1),l=null}if(T){if(m=T=="template"&&e.content||e,l=T=="textarea"&&R.defaultValue!=null?null:l&&$i.call(m.childNodes),!u&&
l)for(v={},h=0;h<e.attributes.length;h++)v[(k=e.attributes[h]).name]=k.value;for(h in v)k=v[h],h=="dangerouslySetInnerHTML"?b=k:h=="children"||h in R||h=="value"&&
"defaultValue"in R||h=="checked"&&"defaultChecked"in R||To(e,h,null,k,o);for(h in R)k=R[h],h=="children"?_=k:h=="dangerouslySetInnerHTML"?f=k:h=="value"?M=k:h==
"checked"?E=k:u&&typeof k!="function"||v[h]===k||To(e,h,k,v[h],o);f?(u||b&&(f.__html==b.__html||f.__html==e.innerHTML)||(e.innerHTML=f.__html),t.__k=[]):(b&&(e.
textContent=""),(T=="foreignObject"||o=="http://www.w3.org/1998/Math/MathML"&&Jc.test(T))&&(o="http://www.w3.org/1999/xhtml"),Gi(m,Fs(_)?_:[_],t,n,r,o,l,a,l?l[0]:
n.__k&&gn(n,0),u,d),l&&l.some(Ln)),u&&T!="textarea"||(h="value",T=="progress"&&M==null?e.removeAttribute(h):M==null||M===e[h]&&(T!="progress"||M)||To(e,h,M,v[h],
o),h="checked",E!=null&&E!=e[h]&&To(e,h,E,v[h],o))}else v===R||u&&e.data==R||(e.data=R);return e}function Gs(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&
(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(o){me.__e(o,n)}}function Us(e,t,n){var r,o,l,a;if(me.unmount&&me.unmount(
e),!(r=e.ref)||r.current&&r.current!=e.__e||Gs(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(u){me.__e(u,t)}r.__P=r.__n=null}
if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&Us(r[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(o=Co(r,l=[]))&&(r==e.__e&&l.some(Ln),Ln(
o),Ln(r)),n||Ln(e.__e),e.__e=e.__c=e.__=null}function od(e,t,n){return this.constructor(e,n)}function Ii(e,t){var n,r,o,l;me.__&&me.__(e,t),t.nodeType==9&&(t=t.
documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=Eo(te,{children:[e]}),o=[],l=[],zs(t,t.__k,r||Do,Do,t.namespaceURI,r?null:t.firstChild?$i.call(t.childNodes):
null,o,r?r.__e:t.firstChild,n,l),Ni(o,t.__k,l),t.__k.props.children=null}function Wi(e){function t(n){var r,o;return this.getChildContext||(r=new Set,(o={})[t.__c]=this,this.getChildContext=function(){return o},this.shouldComponentUpdate=
function(l){this.props.value!=l.value&&r.forEach(function(a){a.__g|=4,Os(a)})},this.sub=function(l){r.add(l);var a=l.componentWillUnmount;l.componentWillUnmount=
function(){r.delete(l),a&&a.call(l)}}),n.children}return t.__c="__cC"+Oi++,t.__=e,t.Provider=(t.Consumer=function(n,r){return n.children(r)}).contextType=t,t}me={__e:function(e,t,n,r){for(var o,l,a;t=t.__;)if((o=t.__c)&&!(1&o.__g)){o.__g|=4;try{if((a=(l=o.constructor)&&l.getDerivedStateFromError)&&o.setState(l.getDerivedStateFromError(
e)),o.componentDidCatch&&(o.componentDidCatch(e,r||{}),a=1),a&&8&o.__g)return void(o.__g|=2)}catch(u){e=u}}throw Mo=0,e}},Ai=0,Qc=function(e){return e!=null&&e.
constructor===zr},Po.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=qn({},this.state)),typeof e=="function"&&(e=e(qn({},n),this.props)),
e&&(qn(n,e),this.__v&&(t&&this.__k.push(t),Os(this)))},Po.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Os(this))},Po.prototype.render=
te,mn=[],Mo=0,Li=function(e,t){return e.__v.__b-t.__v.__b},So=Symbol(),qi=/(PointerCapture)$|Capture$/i,$s=0,qs={},Oi=0;var On,Le,Hs,ji,Ns=Object.is,Ur=0,ea=[],Is=[],Oe=me,Vi=Oe.__b,Ki=Oe.__r,Bi=Oe.diffed,Yi=Oe.__c,Zi=Oe.unmount,Qi=Oe.__;function Hr(e,t){Oe.__h&&Oe.__h(Le,e,Ur||t),
Ur=0;var n=Le.__H||(Le.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function B(e){return Ur=1,sd(ra,e)}function sd(e,t,n){var r=Hr(On++,2);if(r.
t=e,!r.__c&&(r.__=[n?n(t):ra(void 0,t),function(l){var a=(r.__N||r.__)[0],u=r.t(a,l);Ns(a,u)||(r.__N=[u,r.__[1]],r.__c.setState({}))}],r.__c=Le,!Le.__f)){Le.__f=
!0;var o=Le.shouldComponentUpdate;Le.shouldComponentUpdate=function(l,a,u){var d=this.__H;if(!d)return!0;var m=!1,h=this.props!=l;if(d.__.some(function(b){b.__N&&
(m=!0,Ns(b.__[0],b.__N[0])||(h=!0))}),o){var f=o.call(this,l,a,u);return m?f||h:f}return!m||h}}return r.__}function ve(e,t){var n=Hr(On++,3);!Oe.__s&&na(n.__H,t)&&
(n.__P=!0,n.__=e,n.u=t,Le.__H.__h.push(n))}function zt(e){return Ur=5,Ao(function(){return{current:e}},[])}function Ao(e,t){var n=Hr(On++,7);return na(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function fr(e,t){return Ur=8,Ao(function(){return e},t)}function ta(e){var t=Le.context[e.
__c],n=Hr(On++,9);return n.c=e,t?(n.__==null&&(n.__=!0,t.sub(Le)),t.props.value):e.__}function Lo(){var e=Hr(On++,11);if(!e.__){for(var t=Le.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function ld(){var e;
do{for(;e=Is.shift();)try{Gr(e)}catch(n){Oe.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=ea.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Gr),t.__h.some(Ws),t.__h=[]}catch(n){
t.__h=[],Oe.__e(n,e.__v)}}}while(Is.length)}Oe.__b=function(e){Le=null,Vi&&Vi(e)},Oe.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Qi&&Qi(e,t)},Oe.__r=
function(e){Ki&&Ki(e),On=0;var t=(Le=e.__c).__H;t&&(Hs==Le?Le.__h=[]:(t.__h.some(Gr),t.__h.some(Ws),On=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=
n.__N=void 0})),Hs=Le},Oe.diffed=function(e){Bi&&Bi(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Xi(ea.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Hs=
Le=null},Oe.__c=function(e,t){t.some(function(n){try{n.__h.some(Gr),n.__h=n.__h.filter(function(r){return!r.__||Ws(r)})}catch(r){n.__h=[function(){throw r}]}}),
Yi&&Yi(e,t)},Oe.unmount=function(e){Zi&&Zi(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(o){try{if(o.__P&&o.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.
__c.__P);)n=n.__;n=n&&n.__c}o.__P=n,Xi(Is.push(o))}else Gr(o)}catch(l){t=l}}),r.__H=void 0,t&&Oe.__e(t,r.__v))};var Ji=typeof requestAnimationFrame=="function";
function id(e){var t,n=function(){clearTimeout(r),Ji&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);Ji&&(t=requestAnimationFrame(n))}function Xi(e){
e!=1&&ji==Oe.requestAnimationFrame||((ji=Oe.requestAnimationFrame)||id)(ld)}function Gr(e){var t=Le,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),Le=t}function Ws(e){
var t=Le;e.__c=e.__(),Le=t}function na(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!Ns(n,e[r])})}function ra(e,t){return typeof t=="function"?
t(e):t}var $n=class extends Error{constructor(n,r,o,l=null){super(o);this.status=n;this.code=r;this.param=l}status;code;param},qo=new EventTarget;async function hn(e,t={},n){
let[r="GET"]=e.split(" ");return await js(r,pr(e,t),t.body,n)}function pr(e,t={},n={}){let o=e.slice(e.indexOf(" ")+1).replace(/\{(\w+)\}/g,(u,d)=>encodeURIComponent(
t.path?.[d]??"")),l=new URLSearchParams;for(let[u,d]of Object.entries({...t.query,...n}))d!==void 0&&d!==""&&l.set(u,String(d));let a=l.toString();return a===""?
o:o+"?"+a}function oa(e,t={}){return pr(e,t,{format:"csv"})}async function js(e,t,n,r){let o={method:e,credentials:"same-origin",headers:{accept:"application/js\
on"}};r&&(o.signal=r),n!==void 0&&(o.body=JSON.stringify(n),o.headers={accept:"application/json","content-type":"application/json"});let l=await fetch(t,o).catch(
a=>{throw a instanceof DOMException&&a.name==="AbortError"?a:new $n(0,"unreachable","Weir does not answer at this address.")});if(l.ok)return l.status===204?void 0:
l.json();throw await ad(l)}async function ad(e){e.status===401&&qo.dispatchEvent(new Event("ended"));let t=await e.json().catch(()=>null),n=ud(t)?t.error:null;return new $n(
e.status,n?.code??"",n?.message??`Weir answered ${e.status}.`,n?.param??null)}function ud(e){return typeof e=="object"&&e!==null&&"error"in e&&typeof e.error=="\
object"&&e.error!==null&&"message"in e.error}var cd=150,dd=6e4,Vs=new EventTarget;function sa(){Vs.dispatchEvent(new Event("refresh"))}function ce(e,t){let n=t===null?"":JSON.stringify([e,t]),[r,o]=B(null),
[l,a]=B(null),[u,d]=B(!1),[m,h]=B(null),f=zt(""),b=zt(null),_=fr(()=>{if(b.current?.abort(),n==="")return;let{signal:k}=b.current=new AbortController,M=setTimeout(
()=>d(!0),cd),[,E]=JSON.parse(n);hn(e,E,k).then(D=>{f.current=n,o(D),a(null),h(new Date)}).catch(D=>{k.aborted||(f.current!==n&&o(null),a(Fn(D)))}).finally(()=>{
clearTimeout(M),k.aborted||d(!1)})},[n]);return ve(()=>{_();let k=setInterval(()=>document.hidden||_(),dd);return Vs.addEventListener("refresh",_),()=>{b.current?.
abort(),clearInterval(k),Vs.removeEventListener("refresh",_)}},[_]),{data:r,error:l,loading:u,at:m,reload:_}}function Fn(e){return e instanceof $n?e:new $n(0,"f\
ailed",e instanceof Error?e.message:String(e))}var Ks=Wi(null);function ne(){let e=ta(Ks);if(!e)throw new Error("no session");return e}function Bs(){return hn("GET /admin/v1/session")}function la(e){return hn("POST /admin/v1/session",{body:{token:e}})}async function ia(){await hn("DELETE /admin\
/v1/session")}function ca(e){if(!/^\s*(\$\s*)?curl\s/.test(e))return{body:aa(e),key:null};let t=gd(e),n=pd(t);if(n===null)throw new Error("The command sends no body: there is\
 no -d, --data or --json in it.");if(/^@/.test(n))throw new Error(`The body is in the file ${n.slice(1)}: paste what is in it.`);return{body:aa(n),key:fd(e)}}function da(e){
return e.replace(/(sk-weir-[A-Za-z0-9]{12})-[A-Za-z0-9_-]+/g,"$1-…").replace(/((?:bearer|x-api-key:|api-key:)\s+)(?!sk-weir-)[^\s'"$]+/gi,"$1…")}function fd(e){
return/sk-weir-([A-Za-z0-9]{12})-/.exec(e)?.[1]??null}function aa(e){let t=JSON.parse(e);if(typeof t!="object"||t===null||Array.isArray(t))throw new Error("A re\
quest is a JSON object: it begins with {.");return t}var ua=["--data","--data-raw","--data-binary","--data-ascii","--json"];function pd(e){let t=[];return e.forEach(
(n,r)=>{let o=ua.find(l=>n.startsWith(l+"="));n==="-d"||ua.includes(n)?t.push(e[r+1]??""):o!==void 0?t.push(n.slice(o.length+1)):/^-d./.test(n)&&t.push(n.slice(
2))}),t.length===0?null:t.join(e.some(n=>/^--json/.test(n))?"":"&")}var md={n:`
`,t:"	",r:"\r"};function gd(e){let t=[],n=/\\\r?\n|\s+|\$'((?:[^'\\]|\\[^])*)'|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^\s'"\\])/gy,r=null,o=0;for(let l of e.
matchAll(n)){let[a,u,d,m,h,f]=l;if(o=l.index+a.length,a.startsWith(`\\
`)||a.startsWith("\\\r"))continue;let b=u?.replace(/\\([^])/g,(_,k)=>md[k]??k)??d??m?.replace(/\\(["\\$`])/g,"$1")??h??f;b!==void 0?r=(r??"")+b:r!==null&&(t.push(
r),r=null)}if(o<e.length)throw new Error("A quotation mark of the command is not closed.");return r===null?t:[...t,r]}var hd=1000000000n;function $e(e,t=2){let n=typeof e=="bigint"?e:BigInt(Math.round(e));if(n===0n)return t>2?"$0":`$${"0."+"0".repeat(t)}`.replace(/\.$/,"");let r=n<
0n?"−":"",o=n<0n?-n:n,l=o===0n?t:Math.max(t,_d(o)),a=10n**BigInt(9-l),u=(o+a/2n)/a,d=10n**BigInt(l),m=l===0?"":"."+(u%d).toString().padStart(l,"0");return`${r}\
$${fa(u/d)}${m}`}function _d(e){return e>=hd/100n?0:Math.min(9,9-e.toString().length+2)}function Ue(e){if(Math.round(e)===0)return"$0.00";let t=$e(e,9).replace(
/0+$/,"");return t.endsWith(".")?t+"00":t.replace(/\.(\d)$/,".$10")}function Oo(e){let t=e/1e9;return Math.abs(t)>=1e4?"$"+zn(t):$e(e,t!==0&&Math.abs(t)<10?2:0)}
function fa(e){return e.toString().replace(/\B(?=(\d{3})+$)/g,",")}function se(e){return fa(BigInt(Math.round(e))).replace("-","−")}function zn(e){for(let[t,n]of[
[1e12,"T"],[1e9,"B"],[1e6,"M"],[1e4,"k"]])if(Math.abs(e)>=t){let r=e/(n==="k"?1e3:t);return`${pa(r)} ${n}`}return se(e)}function pa(e){let t=Math.floor(Math.abs(
e)).toString().length;return e.toFixed(Math.max(0,3-t))}function Mt(e,t){if(t===0)return"0 %";let n=e/t*100;return n!==0&&n<.01?"< 0.01 %":`${n.toFixed(n<10&&n%
1!==0?2:n<100&&n%1!==0?1:0)} %`}function Nr(e,t){if(t===0)return"";let n=(e-t)/t*100;return Math.abs(n)>=1e3?`${n>0?"+":"−"}${pa(Math.abs(e/t))}×`:`${n<0?"−":
"+"}${Math.abs(n).toFixed(Math.abs(n)<10?1:0)} %`}function He(e){if(e===null)return"–";if(e<1e3)return`${e} µs`;if(e<1e6)return`${e<1e4?(e/1e3).toFixed(1):Math.
round(e/1e3)} ms`;if(e<6e7)return`${(e/1e6).toFixed(2)} s`;let t=Math.round(e/1e6);return`${Math.floor(t/60)} min ${t%60} s`}function ma(e){return e<1e6?`${Math.
round(e/1e3)} ms`:e<12e7?`${+(e/1e6).toFixed(1)} s`:`${+(e/6e7).toFixed(1)} min`}function Ne(e,t,n=t+"s"){return`${se(e)} ${e===1?t:n}`}var bd=["since","until","team"],Ys=new Set;function Ir(){return{path:location.pathname,params:new URLSearchParams(location.search)}}function Je(){let[e,t]=B(Ir);
return ve(()=>{let n=()=>t(Ir());return Ys.add(n),addEventListener("popstate",n),()=>{Ys.delete(n),removeEventListener("popstate",n)}},[]),e}function $o(e,t=!1){
let n=location.pathname;t?history.replaceState(null,"",e):history.pushState(null,"",e),location.pathname!==n&&scrollTo(0,0),Ys.forEach(r=>r())}function _e(e,t=!1){
let{path:n,params:r}=Ir();$o(n+Qs(Zs(r,e)),t)}function Wr(e){let{path:t,params:n}=Ir();return t+Qs(Zs(n,e))}function Me(e,t={}){let n=new URLSearchParams;for(let r of bd){
let o=Ir().params.get(r);o!==null&&n.set(r,o)}return e+Qs(Zs(n,t))}function Zs(e,t){for(let[n,r]of Object.entries(t))r===null||r===""?e.delete(n):e.set(n,r);return e}
function Qs(e){let t=e.toString();return t===""?"":"?"+t}function ga(e){document.addEventListener("click",t=>{if(t.defaultPrevented||t.button!==0||t.metaKey||t.
ctrlKey||t.shiftKey||t.altKey)return;let n=t.target instanceof Element?t.target.closest("a"):null;!n||n.target!==""||n.hasAttribute("download")||n.origin!==location.
origin||e.includes(n.pathname)&&(t.preventDefault(),$o(n.pathname+n.search))})}var ha=new Map;function jr(e,t,n){let r=e+t,o=ha.get(r);return o||ha.set(r,o=new Intl.DateTimeFormat("en-GB",{timeZone:e,hourCycle:"h23",...n})),o}function Vr(e,t){
return jr(t,"clock",{hour:"2-digit",minute:"2-digit",second:"2-digit"}).format(e)}function bn(e,t){return jr(t,"minute",{hour:"2-digit",minute:"2-digit"}).format(
e)}function Fo(e,t){return jr(t,"day",{day:"numeric",month:"short"}).format(e)}function ba(e,t){return`${Fo(e,t)} ${Vr(e,t)}`}function _n(e,t){return jr(t,"full",
{day:"numeric",month:"short",year:"numeric",hour:"2-digit",minute:"2-digit"}).format(e).replace(",","")}function mr(e,t=new Date){return`${e.toISOString()}, ${Xs(
t.getTime()-e.getTime())} ago`}function Xs(e){let t=Math.max(0,Math.floor(e/1e3)),n=[[86400,"d"],[3600,"h"],[60,"min"],[1,"s"]],r=n.findIndex(([o])=>t>=o);return r<
0?"0 s":n.slice(r,r+2).map(([o,l],a)=>[Math.floor((a===0?t:t%(n[r]?.[0]??1))/o),l]).filter(([o])=>o>0).map(([o,l])=>`${o} ${l}`).join(" ")}function Js(e,t){let n=Object.
fromEntries(jr(t,"parts",{year:"numeric",month:"numeric",day:"numeric",hour:"numeric",minute:"numeric",second:"numeric"}).formatToParts(e).map(o=>[o.type,Number(
o.value)]));return Date.UTC(n.year??0,(n.month??1)-1,n.day,n.hour,n.minute,n.second)-Math.floor(e/1e3)*1e3}function yn(e,t){let n=Date.parse(e.length===10?e+"T0\
0:00Z":e+"Z"),r=n-Js(n,t);return new Date(n-Js(r,t))}function Gn(e,t){return new Date(e.getTime()+Js(e.getTime(),t)).toISOString().slice(0,16)}function Gt(e){return{
since:e.get("since")??"7d",until:e.get("until")??""}}function Kr(e,t=new Date){let n=Gn(t,e).slice(0,10),r=n.slice(0,8)+"01";return[{label:"Last hour",since:"1h",
until:""},{label:"Last 24 hours",since:"24h",until:""},{label:"Last 7 days",since:"7d",until:""},{label:"Last 30 days",since:"30d",until:""},{label:"Last 90 day\
s",since:"90d",until:""},{label:"Today",since:n,until:""},{label:"This month",since:r,until:""},{label:"Last month",since:yd(r),until:r}]}function yd(e){let t=new Date(
e+"T00:00Z");return t.setUTCMonth(t.getUTCMonth()-1),t.toISOString().slice(0,10)}var wd={m:6e4,h:36e5,d:864e5,w:7*864e5};function Br(e,t,n=new Date){return{from:_a(
e.since,t,n),to:e.until===""?n:_a(e.until,t,n)}}function _a(e,t,n){let r=/^(\d+)([mhdw])$/.exec(e);return r?new Date(n.getTime()-Number(r[1])*(wd[r[2]??"d"]??0)):
/^\d{4}-\d{2}-\d{2}$/.test(e)?yn(e,t):new Date(e)}function zo(e,t,n=new Date(Math.floor(Date.now()/36e5)*36e5)){let{from:r,to:o}=Br(e,t,n);return{since:new Date(
2*r.getTime()-o.getTime()).toISOString(),until:r.toISOString()}}function Yr(e,t){let{from:n,to:r}=Br(e,t),o=(r.getTime()-n.getTime())/864e5;return o<=8?"hour":o<=
400?"day":"month"}function wn(e,t){let n=Kr(t).find(l=>l.since===e.since&&l.until===e.until);if(n)return n.label;let{from:r,to:o}=Br(e,t);return`${_n(r,t)} – ${e.
until===""?"now":_n(o,t)}`}var vd={no_images:"it reads no images",no_audio:"it takes no audio",no_files:"it reads no files",no_tools:"it calls no tools",no_schema:"it does not answer by a\
 schema",no_prefill:"it does not go on with an answer that was begun",prompt_too_long:"the prompt is too long for it",no_endpoint:"its provider does not have th\
is endpoint, or no such model",unsendable:"something in the request has no place there, or would be lost, which strict mode forbids",down:"it failed too often, \
and another request is probing whether it is well",full:"it has as many requests as it may have",no_credential:"its provider refused all credentials",budget:"a \
budget has no room for a call there",no_price:"what it costs is unknown, and a budget in dollars applies"};function ya(e,t){switch(!0){case e.skip!==null:return xd(
e,e.skip,t);case e.probe:return"it failed before: this request would probe whether it is well";case e.resting_until!==null:return`it asked to be left alone for \
another ${el(e.resting_until,t)}`;case e.last:return"it fails for other keys: it is tried when no other target, and no fallback, is left";case e.refused_for.length>
0:return`its provider refused all credentials for ${e.refused_for.join(", ")}`;case e.down_for.length>0:return`it failed too often for ${e.down_for.join(", ")}`;case e.
credentials_free_at!==null:return"no credential is free; one is tried all the same";default:return""}}function xd(e,t,n){return t==="down"&&e.open_until!==null?
`it failed too often; its breaker is open for another ${el(e.open_until,n)}`:t==="full"&&e.full_until!==null?`it has as many requests as its vendor allows a min\
ute, for another ${el(e.full_until,n)}`:e.barred??vd[t]}function el(e,t){return Xs(Math.max(1e3,new Date(e??t).getTime()-t.getTime()))}var kd=Symbol.for("pv"),Td=0;function s(e,t,n,r,o,l){t||(t={});var a,u,d=t;if("ref"in d&&typeof e!="function")for(u in d={},t)u=="ref"?a=t[u]:d[u]=t[u];var m={type:e,props:d,key:n,ref:a,__k:null,
__:null,__b:0,__e:null,__c:null,constructor:kd,__v:--Td,__i:-1,__u:0};return(o||l)&&(m.__source=o,m.__self=l),me.vnode&&me.vnode(m),m}function Zt({text:e,label:t="Copy"}){let[n,r]=B("");return ve(()=>{let l=setTimeout(()=>r(""),1500);return()=>clearTimeout(l)},[n]),s("button",{type:"button",class:"\
quiet",onClick:()=>{navigator.clipboard.writeText(e).then(()=>r("Copied"),()=>r("Not allowed"))},children:[n||t,s("span",{class:"unseen",role:"status",children:n})]})}
function _t({route:e,asked:t,command:n,list:r}){return s(te,{children:[n&&s(Zt,{text:n,label:"Copy command"}),s(Zt,{text:Sd(e,t),label:"Copy curl"}),r&&s("a",{class:"\
button quiet",href:oa(e,t),download:"",children:"CSV"})]})}function Sd(e,t){return`curl -s ${Dt(location.origin+pr(e,t))} -H "Authorization: Bearer $(cat weir-d\
ata/admin.token)"`}function Dt(e){return/^[\w@%+=:,./-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function bt({label:e,hint:t,wrong:n,value:r,onInput:o,list:l,bare:a,type:u="text",...d}){let m=Lo(),h={type:u,list:l&&m+"-list","aria-invalid":n?!0:void 0,"aria\
-describedby":t||n?m+"-about":void 0,...d};return s("div",{class:"field",children:[s("label",{for:m,class:a?"unseen":void 0,children:e}),s("input",{id:m,value:r,
onInput:f=>o(f.currentTarget.value),autocomplete:"off",spellcheck:!1,...h}),l&&s("datalist",{id:m+"-list",children:l.map(f=>s("option",{value:f},f))}),s(tl,{id:m,
hint:t,wrong:n})]})}function wa({label:e,hint:t,wrong:n,value:r,onInput:o,code:l,...a}){let u=Lo(),d={"aria-invalid":n?!0:void 0,"aria-describedby":t||n?u+"-abo\
ut":void 0,...a};return s("div",{class:"field",children:[s("label",{for:u,children:e}),s("textarea",{id:u,class:l?"mono":void 0,value:r,onInput:m=>o(m.currentTarget.
value),autocomplete:"off",spellcheck:!1,...d}),s(tl,{id:u,hint:t,wrong:n})]})}function Qt({label:e,hint:t,wrong:n,value:r,options:o,onChange:l,bare:a}){let u=Lo();
return s("div",{class:"field",children:[s("label",{for:u,class:a?"unseen":void 0,children:e}),s("select",{id:u,value:r,onChange:d=>l(d.currentTarget.value),children:o.
map(d=>s("option",{value:d.value,selected:d.value===r,children:d.label},d.value))}),s(tl,{id:u,hint:t,wrong:n})]})}function tl({id:e,hint:t,wrong:n}){return!t&&
!n?null:s("span",{id:e+"-about",class:n?"wrong":"muted small",children:n??t})}function nl({label:e,checked:t,onChange:n}){return s("label",{class:"check",children:[
s("input",{type:"checkbox",checked:t,onChange:r=>n(r.currentTarget.checked)}),e]})}function Go({label:e,value:t,options:n,onChange:r}){return s("div",{class:"se\
gments",role:"group","aria-label":e,children:n.map(o=>s("button",{type:"button","aria-pressed":o.value===t,onClick:()=>r(o.value),children:o.label},o.value))})}function rl(e){let t=[],{credentials:n,credentials_parked:r,credentials_resting:o}=e;return e.breaker==="open"&&t.push({text:"breaker open",tone:"bad",...Zr(e.open_until)}),
e.breaker==="trying"&&t.push({text:"being tried",tone:"warn"}),n>0&&r===n?t.push({text:n===1?"credential refused":"all credentials refused",tone:"bad",...Zr(e.credentials_free_at)}):
r>0&&t.push({text:`${r} of ${n} credentials refused`,tone:"warn"}),o>0&&t.push({text:`${Ne(o,"credential")} at a rate limit`,tone:"warn",...Zr(r+o===n?e.credentials_free_at:
null)}),e.resting_until&&t.push({text:"asked for rest",tone:"warn",...Zr(e.resting_until)}),e.full&&t.push({text:"full",tone:"warn",...Zr(e.full_until)}),e.down_for.
length>0&&t.push({text:`down for ${Ne(e.down_for.length,"key")}`,tone:"warn"}),e.refused_for.length>0&&t.push({text:`refused ${Ne(e.refused_for.length,"key")}`,
tone:"warn"}),t.length>0?t:[{text:"well",tone:"good"}]}function Zr(e){return e===null?{}:{until:new Date(e)}}var Ed={good:"M1 4a3 3 0 1 0 6 0a3 3 0 1 0-6 0",warn:"\
M4 .5L7.800 7.500H.2z",bad:"M1 1h6v6H1z",muted:"M1 3.200h6v1.600H1z"};function Pd({tone:e}){return s("svg",{class:`mark ${e}`,viewBox:"0 0 8 8",width:"8",height:"\
8","aria-hidden":"true",children:s("path",{d:Ed[e],fill:"currentColor"})})}function Qr({words:e}){let{zone:t}=ne();return s("span",{class:"words",children:e.map(
n=>s("span",{class:n.tone==="good"?void 0:n.tone,children:[s(Pd,{tone:n.tone}),n.text,n.until&&s("span",{title:mr(n.until),children:[" until ",Vr(n.until,t)]})]},
n.text))})}function ol({health:e}){return s(Qr,{words:e?rl(e):[{text:"not known",tone:"muted"}]})}var sl="custom";function va(){let{zone:e}=ne(),t=Gt(Je().params),[n,r]=B(!1),o=Kr(e).find(u=>u.since===t.since&&u.until===t.until),l=Kr(e).map(u=>({value:u.label,
label:u.label}));o||l.push({value:"",label:wn(t,e)}),l.push({value:sl,label:"From … to …"});let a=u=>{let d=Kr(e).find(m=>m.label===u);r(u===sl),d&&_e({since:d.
since,until:d.until})};return s(te,{children:[s(Qt,{bare:!0,label:"Period",value:n?sl:o?.label??"",options:l,onChange:a}),n&&s(Cd,{onDone:()=>r(!1)})]})}function Cd({
onDone:e}){let{zone:t}=ne(),{from:n,to:r}=Br(Gt(Je().params),t),[o,l]=B(Gn(n,t)),[a,u]=B(Gn(r,t)),d=a<=o?"It ends before it begins.":null;return s("form",{class:"\
filters",onSubmit:h=>{h.preventDefault(),!d&&(_e({since:yn(o,t).toISOString(),until:yn(a,t).toISOString()}),e())},children:[s(bt,{label:`From, ${t}`,type:"datet\
ime-local",value:o,onInput:l,required:!0}),s(bt,{label:"To",type:"datetime-local",value:a,onInput:u,required:!0,wrong:d}),s("button",{class:"primary",disabled:d!==
null,children:"Show"})]})}function xa(){let e=Je().params.get("team")??"",n=(ce("GET /admin/v1/teams",{query:{limit:1e3}}).data?.data??[]).map(r=>({value:r.name,
label:r.name}));return n.length===0&&e===""?null:(e!==""&&!n.some(r=>r.value===e)&&n.push({value:e,label:e}),s(Qt,{bare:!0,label:"Team",value:e,options:[{value:"",
label:"All teams"},...n],onChange:r=>_e({team:r})}))}function Jt({title:e,period:t,team:n,of:r,tools:o,children:l}){return ve(()=>{document.title=`${e} · Weir`},[e]),s(te,{children:[s("div",{class:"head",children:[
s("h1",{children:e}),s("div",{class:"tools",children:[o,n&&s(xa,{}),t&&s(va,{}),r&&s(Md,{of:r})]})]}),l]})}function Md({of:e}){let{zone:t}=ne();return s("button",
{class:"quiet",title:"Fetch it again",onClick:sa,children:e.at?`as of ${Vr(e.at,t)}`:"…"})}function it({of:e,empty:t,isEmpty:n,children:r}){let{data:o,error:l,loading:a}=e;if(o===null)return l?s(Jr,{error:l,retry:e.reload}):s(Uo,{shown:a});let u=t!==void 0&&
n?.(o)===!0;return s(te,{children:[l&&s(Dd,{of:e,error:l}),a&&s(Uo,{shown:!0}),s("div",{class:a?"old":void 0,children:u?s("div",{class:"state",children:t}):r(o)})]})}
function Uo({shown:e}){return e?s("div",{role:"status",children:[s("div",{class:"loading"}),s("span",{class:"unseen",children:"Loading"})]}):null}function Dd({of:e,
error:t}){let{zone:n}=ne();return s("div",{class:"row state small",role:"status",children:[s("span",{class:"warn",children:["Could not refresh",e.at?`: this is \
from ${bn(e.at,n)}`:"","."]}),s("span",{children:t.message}),s("button",{class:"quiet",onClick:e.reload,children:"Try again"})]})}function Jr({error:e,retry:t}){
return s("div",{class:"state",role:"alert",children:[s("strong",{children:Rd(e)}),s("span",{children:e.message}),e.status>=500&&s("span",{children:"Requests of \
callers are served and journaled all the same."}),t&&e.status!==403&&s("button",{onClick:t,children:"Try again"})]})}function Rd({status:e}){switch(!0){case e===
0:return"Weir cannot be reached";case e===403:return"Your role does not allow this";case e===404:return"There is no such thing";case(e===503||e===529):return"Th\
at takes too long now";case e>=500:return"The store cannot be read";default:return"Weir refuses this question"}}function yt(e){let{label:t,columns:n,rows:r,id:o,selected:l,onOpen:a}=e,[u,d]=B(()=>$d(e.sorted)),m=Fd(r,n,u),h=n.some(f=>f.sum!==void 0);return s("div",{class:"\
scroll",tabIndex:0,role:"group","aria-label":t,children:s("table",{children:[s("thead",{children:s("tr",{children:n.map(f=>s(Ad,{column:f,order:u,onOrder:d},f.key))})}),
s("tbody",{children:m.map(f=>s(Ld,{row:f,columns:n,selected:l!==void 0&&l===o(f),onOpen:a},o(f)))}),h&&s("tfoot",{children:s("tr",{children:n.map(f=>s("td",{class:Xr(
f),children:f.sum},f.key))})})]})})}function Xr(e){return e.num?"num":e.wrap?"wrap":void 0}function Ad({column:e,order:t,onOrder:n}){if(e.title==="")return s("t\
d",{class:Xr(e)});let r=t?.key===e.key?t:null;if(!e.sort)return s("th",{scope:"col",class:Xr(e),title:e.hint,children:e.title});let o={key:e.key,down:r?!r.down:
e.num===!0};return s("th",{scope:"col",class:Xr(e),title:e.hint,"aria-sort":r?r.down?"descending":"ascending":"none",children:s("button",{type:"button",onClick:()=>n(
o),children:[r&&s("span",{"aria-hidden":"true",children:r.down?"↓":"↑"}),s("span",{children:e.title})]})})}function Ld({row:e,columns:t,selected:n,onOpen:r}){
let o=t.map(l=>s("td",{class:Xr(l),children:l.cell(e)},l.key));return r?s("tr",{class:"open","aria-selected":n,tabIndex:0,onClick:l=>qd(l)&&r(e),onKeyDown:l=>Od(
l,()=>r(e)),children:o}):s("tr",{children:o})}function qd(e){return(e.target instanceof Element?e.target.closest("a, button"):null)===null&&getSelection()?.isCollapsed!==
!1}function Od(e,t){let n=e.currentTarget;if(!(n instanceof HTMLElement)||e.target!==n)return;let r=e.key==="ArrowDown"?n.nextElementSibling:e.key==="ArrowUp"?n.
previousElementSibling:null;if(e.key==="Enter")t();else if(r instanceof HTMLElement)r.focus();else return;e.preventDefault()}function $d(e){return e===void 0?null:
e.startsWith("-")?{key:e.slice(1),down:!0}:{key:e,down:!1}}function Fd(e,t,n){let r=t.find(l=>l.key===n?.key)?.sort;if(!r||!n)return e;let o=n.down?-1:1;return e.
toSorted((l,a)=>{let[u,d]=[r(l),r(a)];return o*(typeof u=="string"?u.localeCompare(String(d)):u-Number(d))})}function on({part:e,whole:t}){let n=t>0?Math.max(e>
0?1:0,96*e/t):0;return s("svg",{class:"share",viewBox:"0 0 96 8","aria-hidden":"true",children:[s("rect",{width:"96",height:"8",rx:"1"}),s("rect",{width:n,height:"\
8",rx:"1"})]})}function ka(){let{params:e}=Je(),[t,n]=B(null),r=e.get("model")??"",o=e.get("key")??"",l={...r&&{model:r},...o&&{key:o}},a=r===""&&t===null?null:{query:l},u=ce(
"GET /admin/v1/explain",t===null?a:null),d=ce("POST /admin/v1/explain",t===null?null:{query:l,body:t}),m=t===null?u:d;return s(Jt,{title:"Explain",...a&&{of:m},
children:[s(zd,{model:r,onBody:n}),a===null?s(Ud,{}):s(it,{of:m,children:h=>s(Hd,{explanation:h,hasBody:t!==null})})]})}function zd({model:e,onBody:t}){let{models:n}=ne(),
{params:r}=Je(),[o,l]=B(e),[a,u]=B(r.get("key")??""),[d,m]=B(""),[h,f]=B(null),_=(ce("GET /admin/v1/keys",{query:{limit:1e3}}).data?.data??[]).filter(M=>M.status===
"active").map(M=>M.name);return s("form",{class:"panel pad stack",onSubmit:M=>{M.preventDefault();let E=Gd(d);if(f(typeof E=="string"?E:null),typeof E=="string")
return;let D=a.trim()||E?.key||"",v=typeof E?.body.model=="string"?E.body.model:"";u(D),l(o.trim()||v),t(E?.body??null),_e({model:o.trim()||v,key:D})},"aria-lab\
el":"Request to explain",children:[s("div",{class:"ask",children:[s("div",{class:"stack small-gap",children:[s(bt,{label:"Model",value:o,onInput:l,list:n,placeholder:"\
as callers name it",hint:"Empty: the one that the body names."}),s(bt,{label:"Key",value:a,onInput:u,list:_,placeholder:"any that may use every model",hint:"Its\
 name or id."})]}),s(wa,{code:!0,label:"Request: a JSON body, or a pasted curl command",rows:6,value:d,onInput:M=>m(da(M)),wrong:h,placeholder:'{"messages": [{"\
role": "user", "content": "Hello"}], "max_tokens": 500}',hint:"Without it, a chat with no special needs. It goes to Weir alone, and no provider is called."})]}),
s("div",{class:"row",children:[s("button",{class:"primary",children:"Explain"}),d!==""&&s("button",{type:"button",onClick:()=>{m(""),f(null),t(null)},children:"\
Clear the request"}),s("span",{class:"rest",children:o!==""&&s(Zt,{label:"Copy command",text:`weir explain ${Dt(o)}${a===""?"":` --key ${Dt(a)}`}${d===""?"":" -\
-body request.json"}`})})]})]})}function Gd(e){if(e.trim()==="")return null;try{return ca(e)}catch(t){return t instanceof Error?`This cannot be read. ${t.message}`:
"This cannot be read."}}function Ud(){return s("section",{class:"panel state",children:[s("strong",{children:"Name a model, or paste a request"}),s("span",{children:"\
You will see where it would go now, what would be skipped and why, which limits and budgets apply, and about what it would cost. Nothing is called or changed."}),
s("span",{children:["In a terminal: ",s("code",{children:"weir explain smart --key my-app --body request.json"})]})]})}function Hd({explanation:e,hasBody:t}){let n=[
...e.limits,...e.budgets];return s("div",{class:"stack",children:[s(Nd,{explanation:e,hasBody:t}),s(Wd,{plans:e.plans}),n.length>0&&s("section",{class:"panel","\
aria-label":"Limits and budgets",children:[s("header",{children:s("h2",{children:"Limits and budgets that apply"})}),s(yt,{label:"Limits and budgets, and what i\
s left of each",columns:Bd(),rows:n,id:r=>`${r.of} ${r.id} ${Ta(r)}`})]})]})}function Nd({explanation:e,hasBody:t}){let{plans:n,refused:r,hedge:o,max_attempts:l}=e,
a=n.flatMap(h=>h.targets).filter(h=>h.turn!==null),[u]=a,d=n[0]?.targets.some(h=>h.turn!==null)??!1,m=r!==null||!u?"bad-edge":u.skip===null&&d?"good-edge":"";return s(
"section",{class:`panel alert verdict ${m}`,"aria-label":"Verdict",role:"status",children:[r!==null?s("p",{children:[s("strong",{class:"bad",children:"It would \
be refused."})," The caller would read: ",r]}):u?s("p",{children:[s("strong",{children:[n[0]?.drawn?"It would now go to ":"It would go to ",s("code",{children:u.
target})]}),!d&&", by a fallback: no target of the model itself would be tried",u.cost_nanodollars!==null&&s(te,{children:[", for about ",s("span",{title:Ue(u.cost_nanodollars),
children:$e(u.cost_nanodollars,4)})]}),"."]}):s("p",{children:[s("strong",{class:"bad",children:"No target would be tried."})," The reasons are beside each."]}),
s("p",{class:"muted",children:[e.key===null?"For a key that may use every model":s(te,{children:["For the key ",s("strong",{children:e.key})]}),`, at most ${Ne(
l,"attempt")}`,a.length>1&&` over ${Ne(a.length,"target")}`,".",n[0]?.drawn&&" Chance has a part in the order: the next request may meet another one.",n[0]?.sticks&&
" Something of the request decides which target is first.",o?.target&&` ${o.target} is asked as well ${o.late_ms===null?"for streams that are late, once it is k\
nown when they are":`for a stream without content after ${o.late_ms} ms`}.`,!t&&" Without a request, costs are not known, and nothing special is needed."]})]})}
var Id=[["Would cost","The prompt as estimated, none of it from a cache, and the answer that it allows, or 500 tokens"],["Million tokens in","What they cost in \
a prompt of this length"],["Out"],["In flight"]];function Wd({plans:e}){return s("section",{class:"panel","aria-label":"Targets in their order",children:s("div",
{class:"scroll",tabIndex:0,role:"region","aria-label":"Targets, and why each is tried or skipped",children:s("table",{class:"grouped",children:[s("thead",{children:s(
"tr",{children:[s("th",{scope:"col",children:"Turn"}),s("th",{scope:"col",children:"Target"}),s("th",{scope:"col",children:"Why"}),Id.map(([t,n])=>s("th",{scope:"\
col",class:"num",title:n,children:t},t))]})}),e.map((t,n)=>s("tbody",{children:[s("tr",{class:"first",children:s("th",{scope:"rowgroup",colSpan:7,children:[t.on!==
null&&s("span",{class:"muted small",children:["then, on ",t.on.map(r=>r.replace("_"," ")).join(", "),": "]}),s("a",{href:Me("/models",{model:t.route}),children:t.
route})," ",s("span",{class:"muted small",children:[t.policy,t.sticky!=="none"&&` · sticky by ${t.sticky}`]})]})}),t.targets.map(r=>s(jd,{target:r},r.target))]},
n))]})})})}function jd({target:e}){let{turn:t,price:n,cost_nanodollars:r}=e;return s("tr",{children:[s("td",{class:t===null?"muted":void 0,children:t??"skipped"}),
s("td",{children:s("code",{class:t===null?"muted":void 0,children:e.target})}),s("td",{class:"wrap",children:s(Vd,{target:e})}),s("td",{class:"num",children:r===
null?"–":s("span",{title:Ue(r),children:$e(r,4)})}),n?s("td",{class:"num",children:$e(n.input*1e3)}):s("td",{class:"num muted",children:"not known"}),s("td",{
class:"num",children:n&&$e(n.output*1e3)}),s("td",{class:"num",children:se(e.in_flight)})]})}function Vd({target:e}){let t=ya(e,new Date);return e.turn===null?s(
Qr,{words:[{text:t,tone:e.skip==="down"||e.skip==="no_credential"?"bad":"warn"}]}):t!==""?s(Qr,{words:[{text:t,tone:"warn"}]}):s(Qr,{words:rl(e)})}function No(e){
return"budget"in e}var Kd={rpm:"requests a minute",tpm:"tokens a minute",concurrent:"requests at once"};function Ta(e){return No(e)?e.budget:Kd[e.limit]}function Ho(e,t){
return No(e)&&e.unit==="nanodollars"?$e(t):se(t)}function Bd(){return[{key:"of",title:"Of",cell:e=>s(te,{children:[e.of," ",s("strong",{children:e.name})]})},{key:"\
limit",title:"Limit",cell:Ta},{key:"share",title:"",cell:e=>s(on,{part:e.most-e.remaining,whole:e.most})},{key:"used",title:"Used",num:!0,cell:e=>Ho(e,e.used)},
{key:"held",title:"Held",num:!0,cell:e=>No(e)?Ho(e,e.held):""},{key:"remaining",title:"Left",num:!0,cell:e=>s("span",{class:e.remaining<=0?"bad":void 0,children:e.
remaining<=0?"nothing":Ho(e,e.remaining)})},{key:"most",title:"Most",num:!0,cell:e=>Ho(e,e.most)},{key:"reset",title:"Back",cell:e=>s(Yd,{row:e})}]}function Yd({
row:e}){let{zone:t}=ne();return No(e)?e.reset===null?s("span",{class:"muted",children:"never"}):s("span",{title:mr(new Date(e.reset)),children:_n(new Date(e.reset),
t)}):s(te,{children:e.reset_ms?`all in ${He(e.reset_ms*1e3)}`:""})}function eo({title:e,onClose:t,aside:n,children:r}){let o=zt(null);return ve(()=>{o.current?.showModal()},[]),s("dialog",{ref:o,class:n?"aside":void 0,"aria-lab\
el":e,onClose:t,onClick:l=>l.target===o.current&&o.current?.close(),children:s("div",{class:"dialog",children:[s("div",{class:"row",children:[s("h2",{children:e}),
s("button",{class:"quiet rest",onClick:()=>o.current?.close(),children:"Close"})]}),r]})})}function il(e){let t=["models:",`  ${ll(e.id)}:`,`    targets: [${e.targets.map(({target:o})=>ll(o)).join(", ")}]`];e.policy!=="ordered"&&t.push(`    policy: ${e.
policy}`),e.sticky!=="none"&&t.push(`    sticky: ${e.sticky}`);let[n,...r]=e.fallbacks.map(({on:o,to:l})=>`{on: [${o.join(", ")}], to: [${l.map(ll).join(", ")}]\
}`);return n!==void 0&&t.push(`    fallbacks: ${r.length===0?n:`[${[n,...r].join(", ")}]`}`),t.join(`
`)+`
`}function ll(e){return/^[A-Za-z_/][\w./~@+-]*(?: [\w./~@+-]+)*$/.test(e)&&!/^(true|false|null|yes|no|on|off|~)$/i.test(e)?e:JSON.stringify(e)}function Ea(){let{zone:e}=ne(),{params:t}=Je(),n=Gt(t),r=ce("GET /admin/v1/models",{}),o=Zd(n.since,n.until),l=t.get("find")??"",a=t.get("model");return s(Jt,{title:"\
Models",period:!0,of:r,children:[s("section",{class:"panel","aria-label":"Models",children:[s("header",{children:[s(bt,{bare:!0,label:"Find a model or target",type:"\
search",placeholder:"Find a model or target",value:l,onInput:u=>_e({find:u},!0)}),s("span",{class:"muted small",children:["Health now; the rest ",wn(n,e).toLowerCase()]}),
s("div",{class:"rest",children:s(_t,{list:!0,route:"GET /admin/v1/models",asked:{},command:"weir models"})})]}),s(it,{of:r,isEmpty:({data:u})=>u.length===0,empty:s(
lf,{}),children:({data:u})=>{let d=u.filter(m=>Jd(m,l));return d.length===0?s("div",{class:"state",children:["No model and no target has “",l,"” in its name."]}):
s(ef,{models:d,figures:o})}})]}),a!==null&&r.data&&s(sf,{model:r.data.data.find(u=>u.id===a),name:a})]})}function Zd(e,t){let n={since:e,...t&&{until:t}},r=ce("\
GET /admin/v1/usage",{query:{by:"model",...n}}),o=ce("GET /admin/v1/latency",{query:{by:"model",...n}}),l=ce("GET /admin/v1/latency",{query:{by:"model,target",...n}});
return{usage:new Map((r.data?.data??[]).map(a=>[a.model??"",a])),speeds:new Map((o.data?.data??[]).map(a=>[a.model??"",a])),targets:Qd(l.data?.data??[])}}function Qd(e){
let t=new Map;for(let n of e)t.set(n.model??"",[...t.get(n.model??"")??[],n]);return t}function Jd(e,t){let n=r=>r.toLowerCase().includes(t.trim().toLowerCase());
return n(e.id)||e.targets.some(({target:r})=>n(r))}var Xd=[["Requests","Of a target: calls to it"],["Share","Of the calls that requests for the model led to"],[
"Failed","Calls of which the target is at fault"],["First token, p95","95 % of calls had their first content within"],["Whole, p95","95 % of answered calls ende\
d within"],["Cost of 1,000","What 1,000 requests cost"],["From caches","The share of prompts that providers read from their caches"]];function ef({models:e,figures:t}){
return s("div",{class:"scroll",tabIndex:0,role:"region","aria-label":"Models and their targets",children:s("table",{class:"grouped",children:[s("thead",{children:s(
"tr",{children:[s("th",{scope:"col",children:"Model, and its targets in order"}),s("th",{scope:"col",children:"Health"}),Xd.map(([n,r])=>s("th",{scope:"col",colSpan:n===
"Share"?2:1,class:n==="Share"?void 0:"num",title:r,children:n},n))]})}),e.map(n=>s(tf,{model:n,figures:t},n.id))]})})}function tf({model:e,figures:t}){let n=t.usage.
get(e.id),r=t.speeds.get(e.id),o=t.targets.get(e.id)??[],l=o.reduce((d,m)=>d+m.calls,0),a=e.targets.map(d=>({target:d,rows:o.filter(m=>Sa(d.target,m.target??""))})),
u=o.filter(d=>!e.targets.some(({target:m})=>Sa(m,d.target??"")));return s("tbody",{children:[s("tr",{class:"first",children:[s("th",{scope:"rowgroup",colSpan:2,
children:[s("a",{href:Wr({model:e.id}),children:e.id})," ",s("span",{class:"muted small",children:nf(e)})]}),s("td",{class:"num",children:n?se(n.requests):"–"}),
s("td",{colSpan:2}),s(al,{row:r}),s("td",{class:"num",children:n&&n.requests>0?s("span",{title:Ue(n.cost_nanodollars)+" in all",children:$e(n.cost_nanodollars*1e3/
n.requests)}):"–"}),s("td",{class:"num",children:n&&n.input_tokens>0?Mt(n.cache_read_tokens,n.input_tokens):"–"})]}),a.map(({target:d,rows:m},h)=>s(rf,{turn:e.
policy==="ordered"?h+1:0,target:d,rows:m,calls:l},d.target)),u.length>0&&s(of,{rows:u,calls:l}),e.fallbacks.map(d=>s("tr",{class:"then",children:s("td",{colSpan:10,
class:"muted",children:["on ",d.on.map(m=>m.replace("_"," ")).join(", "),": ",d.to.map((m,h)=>s("span",{children:[h>0&&", ",s("a",{href:Wr({model:m}),children:m})]},
m))]})},d.on.join()))]})}function Sa(e,t){return e.endsWith("*")?t.startsWith(e.slice(0,-1)):t===e}function nf(e){let t=[e.policy];return e.sticky!=="none"&&t.push(
`sticky by ${e.sticky}`),e.context_length!==null&&t.push(`${se(e.context_length)} tokens`),t.join(" · ")}function rf({turn:e,target:t,rows:n,calls:r}){let o=n.
reduce((l,a)=>l+a.calls,0);return s("tr",{children:[s("td",{class:"target",children:[s("span",{class:"turn muted",children:e>0?e:"·"}),s("code",{children:t.target}),
t.models_down>0&&s("span",{class:"warn small",children:[" ",t.models_down," of its models down"]})]}),s("td",{children:s(ol,{health:t.health})}),s("td",{class:"\
num",children:r>0?se(o):"–"}),s("td",{class:"num",children:r>0?Mt(o,r):"–"}),s("td",{class:"part",children:r>0&&s(on,{part:o,whole:r})}),s(al,{row:Pa(n)}),s(
"td",{colSpan:2,class:"muted num",children:t.priced===!1&&"no known price"})]})}function of({rows:e,calls:t}){let n=e.reduce((r,o)=>r+o.calls,0);return s("tr",{
children:[s("td",{class:"target",colSpan:2,title:e.map(r=>r.target).join(", "),children:[s("span",{class:"turn muted",children:"·"}),s("span",{class:"muted",children:"\
fallbacks, and targets of before"})]}),s("td",{class:"num",children:se(n)}),s("td",{class:"num",children:Mt(n,t)}),s("td",{class:"part",children:s(on,{part:n,whole:t})}),
s(al,{row:Pa(e)}),s("td",{colSpan:2})]})}function Pa(e){let[t,...n]=e;if(!t||n.length===0)return t;let r={calls:0,p50_us:null,p90_us:null,p95_us:null,p99_us:null};
return{calls:e.reduce((o,l)=>o+l.calls,0),failed:e.reduce((o,l)=>o+l.failed,0),first:r,took:r}}function al({row:e}){return s(te,{children:[s("td",{class:e&&e.failed>
0?"num warn":"num",children:e?Mt(e.failed,e.calls):"–"}),s("td",{class:"num",children:He(e?.first.p95_us??null)}),s("td",{class:"num",children:He(e?.took.p95_us??
null)})]})}function sf({model:e,name:t}){let n=()=>_e({model:null});return e?s(eo,{aside:!0,title:e.id,onClose:n,children:[s("div",{class:"row",children:[s("a",
{class:"button",href:Me("/explain",{model:e.id}),children:"Explain"}),s("a",{class:"button",href:Me("/playground",{model:e.id}),children:"Try it"}),s("a",{class:"\
button",href:Me("/requests",{model:e.id}),children:"Requests"}),s("a",{class:"button",href:Me("/usage",{model:e.id}),children:"Usage"})]}),s("dl",{class:"pairs",
children:[e.display_name!==null&&s(te,{children:[s("dt",{children:"Shown as"}),s("dd",{children:e.display_name})]}),s("dt",{children:"Order"}),s("dd",{children:[
e.policy,e.sticky!=="none"&&`, sticky by ${e.sticky}`]}),s("dt",{children:"Prompt and answer"}),s("dd",{children:e.context_length===null?"not known":`${se(e.context_length)}\
 tokens`}),s("dt",{children:"Answer at most"}),s("dd",{children:e.max_output_tokens===null?"not known":`${se(e.max_output_tokens)} tokens`})]}),s("h3",{children:"\
Targets"}),e.targets.map(r=>s("dl",{class:"pairs",children:[s("dt",{children:"Target"}),s("dd",{children:s("code",{children:r.target})}),s("dt",{children:"Healt\
h"}),s("dd",{children:[s(ol,{health:r.health}),r.health&&r.health.in_flight>0&&`, ${se(r.health.in_flight)} in flight`]}),s("dt",{children:"Known as"}),s("dd",{
children:[r.row===null?"nothing known of it":s("code",{children:r.row}),r.family&&", its family",r.overridden&&", changed by the config"]}),s("dt",{children:"Pr\
ice"}),s("dd",{class:r.priced===!1?"warn":void 0,children:r.priced===!1?"not known: its calls cost nothing in the account":r.priced===null?"that of each model":
"known"})]},r.target)),s("div",{class:"row",children:[s("h3",{children:"In the config"}),s("span",{class:"muted small",children:"The file decides: change it the\
re."}),s("div",{class:"rest",children:s(Zt,{text:il(e)})})]}),s("pre",{class:"code",children:il(e)}),s("p",{class:"muted small",children:"Only what this page kn\
ows of the model. Its weights, prices, limits and timeouts, if the file sets them, are not in it."})]}):s(eo,{aside:!0,title:t,onClose:n,children:s("p",{children:"\
The config has no such model."})})}function lf(){return s(te,{children:[s("strong",{children:"The config has no models"}),s("span",{children:"Add one to the fil\
e, then weir reload:"}),s("pre",{class:"code",children:`models:
  smart: {targets: [openai/gpt-5]}`})]})}var gr="other",ul=new Map;function Ca(e){let t=new Set;for(let n of e){let r=ul.get(n);r!==void 0&&t.add(r)}return e.map(n=>af(n,t))}function af(e,t){if(e===gr)
return 8;let n=ul.get(e);if(n!==void 0)return n;let r=uf(e)%7;for(let o=0;o<7&&t.has(r+1);o++)r=(r+1)%7;return t.add(r+1),ul.set(e,r+1),r+1}function uf(e){let t=2166136261;
for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619)>>>0;return t}function hr(e){let t=document.createElement("i");t.style.color=e,t.hidden=!0,document.
body.append(t);let n=getComputedStyle(t).color;return t.remove(),n}var cf=7;function df(e,t){return e.hour!==void 0?new Date(e.hour):yn(e.day??(e.month??"1970-01")+"-01",t)}function to(e,t,n,r){let o=[];for(let l=ff(e,n,r);l<t&&
o.length<5e3;l=pf(l,n,r))o.push(l);return o}function ff(e,t,n){if(t==="hour")return e;let r=Gn(e,n).slice(0,10);return yn(t==="day"?r:r.slice(0,8)+"01",n)}function pf(e,t,n){
if(t==="hour")return new Date(e.getTime()+36e5);let[r=0,o=1,l=1]=Gn(e,n).slice(0,10).split("-").map(Number),a=t==="day"?new Date(Date.UTC(r,o-1,l+1)):new Date(Date.
UTC(r,o,1));return yn(a.toISOString().slice(0,10),n)}function Un(e,t){switch(t){case"team":return e.team===""?"no team":e.team_name||e.key===void 0&&e.name||e.team||
"";case"key":return e.name||e.key||"";case"tag":return e.tag??"";case"provider":return e.provider??"";default:return e.model??""}}function Io({rows:e,xs:t,zone:n,
group:r,value:o}){let l=new Map;for(let m of e)l.set(r(m),(l.get(r(m))??0)+o(m));let a=[...l].filter(([m,h])=>h>0&&m!==gr).toSorted((m,h)=>h[1]-m[1]).slice(0,cf).
map(([m])=>m),u=new Map(a.map(m=>[m,{name:m,values:t.map(()=>0)}])),d=new Map(t.map((m,h)=>[m.getTime(),h]));for(let m of e){let h=u.has(r(m))?r(m):gr;if(o(m)===
0)continue;let f=u.get(h);f||u.set(h,f={name:h,values:t.map(()=>0)});let b=d.get(df(m,n).getTime());b!==void 0&&(f.values[b]=(f.values[b]??0)+o(m))}return[...u.
values()]}function Ma(e,t,n){let r=new Map(e.map(o=>[new Date(o.at??0).getTime(),o[n]]));return[["p50",1],["p95",6],["p99",8]].map(([o,l])=>({name:o,slot:l,values:t.
map(a=>r.get(a.getTime())?.[`${o}_us`]??null)}))}var cl="weir-scheme",Da=["light","dark","system"];function Wo(){try{let e=localStorage.getItem(cl);return e==="light"||e==="dark"?e:"system"}catch{return"system"}}
function Ra(e){try{e==="system"?localStorage.removeItem(cl):localStorage.setItem(cl,e)}catch{}no(e)}function no(e){e==="system"?delete document.documentElement.
dataset.scheme:document.documentElement.dataset.scheme=e,ro.dispatchEvent(new Event("scheme"))}var ro=new EventTarget;matchMedia("(prefers-color-scheme: dark)").
addEventListener("change",()=>ro.dispatchEvent(new Event("scheme")));var mf="uplot",gf="u-hz",hf="u-vt",_f="u-title",bf="u-wrap",yf="u-under",wf="u-over",vf="u-axis",In="u-off",xf="u-select",kf="u-cursor-x",Tf="u-cursor-y",Sf="u-\
cursor-pt",Ef="u-legend",Pf="u-live",Cf="u-inline",Mf="u-series",Df="u-marker",Aa="u-label",Rf="u-value",so="width",lo="height";var La="bottom",_r="left",dl="right",Cl="#000",qa=Cl+"0",fl="mousemove",Oa="mousedown",pl="mouseup",$a="mouseenter",Fa="mouseleave",za="dblclick",Af="resize",Lf="\
scroll",Ga="change",Yo="dppxchange",Ml="--",Tr=typeof window<"u",bl=Tr?document:null,yr=Tr?window:null,qf=Tr?navigator:null,de,jo;function yl(){let e=devicePixelRatio;
de!=e&&(de=e,jo&&vl(Ga,jo,yl),jo=matchMedia(`(min-resolution: ${de-.001}dppx) and (max-resolution: ${de+.001}dppx)`),Wn(Ga,jo,yl),yr.dispatchEvent(new CustomEvent(
Yo)))}function wt(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function wl(e,t){let n=e.classList;n.contains(t)&&n.remove(t)}function Se(e,t,n){
e.style[t]=n+"px"}function Ut(e,t,n,r){let o=bl.createElement(e);return t!=null&&wt(o,t),n?.insertBefore(o,r),o}function Rt(e,t){return Ut("div",e,t)}var Ua=new WeakMap;
function Xt(e,t,n,r,o){let l="translate("+t+"px,"+n+"px)",a=Ua.get(e);l!=a&&(e.style.transform=l,Ua.set(e,l),t<0||n<0||t>r||n>o?wt(e,In):wl(e,In))}var Ha=new WeakMap;
function Na(e,t,n){let r=t+n,o=Ha.get(e);r!=o&&(Ha.set(e,r),e.style.background=t,e.style.borderColor=n)}var Ia=new WeakMap;function Wa(e,t,n,r){let o=t+""+n,l=Ia.
get(e);o!=l&&(Ia.set(e,o),e.style.height=n+"px",e.style.width=t+"px",e.style.marginLeft=r?-t/2+"px":0,e.style.marginTop=r?-n/2+"px":0)}var Dl={passive:!0},Of={...Dl,
capture:!0};function Wn(e,t,n,r){t.addEventListener(e,n,r?Of:Dl)}function vl(e,t,n,r){t.removeEventListener(e,n,Dl)}Tr&&yl();function Ht(e,t,n,r){let o;n=n||0,r=
r||t.length-1;let l=r<=2147483647;for(;r-n>1;)o=l?n+r>>1:vt((n+r)/2),t[o]<e?n=o:r=o;return e-t[n]<=t[r]-e?n:r}function bu(e){return(n,r,o)=>{let l=-1,a=-1;for(let u=r;u<=
o;u++)if(e(n[u])){l=u;break}for(let u=o;u>=r;u--)if(e(n[u])){a=u;break}return[l,a]}}var yu=e=>e!=null,wu=e=>e!=null&&e>0,Jo=bu(yu),$f=bu(wu);function Ff(e,t,n,r=0,o=!1){
let l=o?$f:Jo,a=o?wu:yu;[t,n]=l(e,t,n);let u=e[t],d=e[t];if(t>-1)if(r==1)u=e[t],d=e[n];else if(r==-1)u=e[n],d=e[t];else for(let m=t;m<=n;m++){let h=e[m];a(h)&&(h<
u?u=h:h>d&&(d=h))}return[u??be,d??-be]}function Xo(e,t,n,r){let o=Ka(e),l=Ka(t);e==t&&(o==-1?(e*=n,t/=n):(e/=n,t*=n));let a=n==10?sn:vu,u=o==1?vt:At,d=l==1?At:vt,
m=u(a(We(e))),h=d(a(We(t))),f=wr(n,m),b=wr(n,h);return n==10&&(m<0&&(f=ye(f,-m)),h<0&&(b=ye(b,-h))),r||n==2?(e=f*o,t=b*l):(e=Su(e,f),t=es(t,b)),[e,t]}function Rl(e,t,n,r){
let o=Xo(e,t,n,r);return e==0&&(o[0]=0),t==0&&(o[1]=0),o}var Al=.1,ja={mode:3,pad:Al},ao={pad:0,soft:null,mode:0},zf={min:ao,max:ao};function Zo(e,t,n,r){return ts(
n)?Va(e,t,n):(ao.pad=n,ao.soft=r?0:null,ao.mode=r?3:0,Va(e,t,zf))}function ae(e,t){return e??t}function Gf(e,t,n){for(t=ae(t,0),n=ae(n,e.length-1);t<=n;){if(e[t]!=
null)return!0;t++}return!1}function Va(e,t,n){let r=n.min,o=n.max,l=ae(r.pad,0),a=ae(o.pad,0),u=ae(r.hard,-be),d=ae(o.hard,be),m=ae(r.soft,be),h=ae(o.soft,-be),
f=ae(r.mode,0),b=ae(o.mode,0),_=t-e,k=sn(_),M=at(We(e),We(t)),E=sn(M),D=We(E-k);(_<1e-24||D>10)&&(_=0,(e==0||t==0)&&(_=1e-24,f==2&&m!=be&&(l=0),b==2&&h!=-be&&(a=
0)));let v=_||M||1e3,R=sn(v),T=wr(10,vt(R)),Y=v*(_==0?e==0?.1:1:l),$=ye(Su(e-Y,T/10),24),Z=e>=m&&(f==1||f==3&&$<=m||f==2&&$>=m)?m:be,I=at(u,$<Z&&e>=Z?Z:Nt(Z,$)),
J=v*(_==0?t==0?.1:1:a),N=ye(es(t+J,T/10),24),C=t<=h&&(b==1||b==3&&N>=h||b==2&&N<=h)?h:-be,W=Nt(d,N>C&&t<=C?C:at(C,N));return I==W&&I==0&&(W=100),[I,W]}var Uf=new Intl.
NumberFormat(Tr?qf.language:"en-US"),Ll=e=>Uf.format(e),xt=Math,Bo=xt.PI,We=xt.abs,vt=xt.floor,Ie=xt.round,At=xt.ceil,Nt=xt.min,at=xt.max,wr=xt.pow,Ka=xt.sign,sn=xt.
log10,vu=xt.log2,Hf=(e,t=1)=>xt.sinh(e)*t,ml=(e,t=1)=>xt.asinh(e/t),be=1/0;function Ba(e){return(sn((e^e>>31)-(e>>31))|0)+1}function xl(e,t,n){return Nt(at(e,t),
n)}function xu(e){return typeof e=="function"}function re(e){return xu(e)?e:()=>e}var Nf=()=>{},ku=e=>e,Tu=(e,t)=>t,If=e=>null,Ya=e=>!0,Za=(e,t)=>e==t,Wf=/\.\d*?(?=9{6,}|0{6,})/gm,
jn=e=>{if(Pu(e)||xn.has(e))return e;let t=`${e}`,n=t.match(Wf);if(n==null)return e;let r=n[0].length-1;if(t.indexOf("e-")!=-1){let[o,l]=t.split("e");return+`${jn(
o)}e${l}`}return ye(e,r)};function Hn(e,t){return jn(ye(jn(e/t))*t)}function es(e,t){return jn(At(jn(e/t))*t)}function Su(e,t){return jn(vt(jn(e/t))*t)}function ye(e,t=0){
if(Pu(e))return e;let n=10**t,r=e*n*(1+Number.EPSILON);return Ie(r)/n}var xn=new Map;function Eu(e){return((""+e).split(".")[1]||"").length}function co(e,t,n,r){
let o=[],l=r.map(Eu);for(let a=t;a<n;a++){let u=We(a),d=ye(wr(e,a),u);for(let m=0;m<r.length;m++){let h=e==10?+`${r[m]}e${a}`:r[m]*d,f=(a>=0?0:u)+(a>=l[m]?0:l[m]),
b=e==10?h:ye(h,f);o.push(b),xn.set(b,f)}}return o}var uo={},ql=[],vr=[null,null],vn=Array.isArray,Pu=Number.isInteger,jf=e=>e===void 0;function Qa(e){return typeof e==
"string"}function ts(e){let t=!1;if(e!=null){let n=e.constructor;t=n==null||n==Object}return t}function Vf(e){return e!=null&&typeof e=="object"}var Kf=Object.getPrototypeOf(
Uint8Array),Cu="__proto__";function xr(e,t=ts){let n;if(vn(e)){let r=e.find(o=>o!=null);if(vn(r)||t(r)){n=Array(e.length);for(let o=0;o<e.length;o++)n[o]=xr(e[o],
t)}else n=e.slice()}else if(e instanceof Kf)n=e.slice();else if(t(e)){n={};for(let r in e)r!=Cu&&(n[r]=xr(e[r],t))}else n=e;return n}function Fe(e){let t=arguments;
for(let n=1;n<t.length;n++){let r=t[n];for(let o in r)o!=Cu&&(ts(e[o])?Fe(e[o],xr(r[o])):e[o]=xr(r[o]))}return e}var Bf=0,Yf=1,Zf=2;function Qf(e,t,n){for(let r=0,
o,l=-1;r<t.length;r++){let a=t[r];if(a>l){for(o=a-1;o>=0&&e[o]==null;)e[o--]=null;for(o=a+1;o<n&&e[o]==null;)e[l=o++]=null}}}function Jf(e,t){if(tp(e)){let a=e[0].
slice();for(let u=1;u<e.length;u++)a.push(...e[u].slice(1));return np(a[0])||(a=ep(a)),a}let n=new Set;for(let a=0;a<e.length;a++){let d=e[a][0],m=d.length;for(let h=0;h<
m;h++)n.add(d[h])}let r=[Array.from(n).sort((a,u)=>a-u)],o=r[0].length,l=new Map;for(let a=0;a<o;a++)l.set(r[0][a],a);for(let a=0;a<e.length;a++){let u=e[a],d=u[0];
for(let m=1;m<u.length;m++){let h=u[m],f=Array(o).fill(void 0),b=t?t[a][m]:Yf,_=[];for(let k=0;k<h.length;k++){let M=h[k],E=l.get(d[k]);M===null?b!=Bf&&(f[E]=M,
b==Zf&&_.push(E)):f[E]=M}Qf(f,_,o),r.push(f)}}return r}var Xf=typeof queueMicrotask>"u"?e=>Promise.resolve().then(e):queueMicrotask;function ep(e){let t=e[0],n=t.
length,r=Array(n);for(let l=0;l<r.length;l++)r[l]=l;r.sort((l,a)=>t[l]-t[a]);let o=[];for(let l=0;l<e.length;l++){let a=e[l],u=Array(n);for(let d=0;d<n;d++)u[d]=
a[r[d]];o.push(u)}return o}function tp(e){let t=e[0][0],n=t.length;for(let r=1;r<e.length;r++){let o=e[r][0];if(o.length!=n)return!1;if(o!=t){for(let l=0;l<n;l++)
if(o[l]!=t[l])return!1}}return!0}function np(e,t=100){let n=e.length;if(n<=1)return!0;let r=0,o=n-1;for(;r<=o&&e[r]==null;)r++;for(;o>=r&&e[o]==null;)o--;if(o<=
r)return!0;let l=at(1,vt((o-r+1)/t));for(let a=e[r],u=r+l;u<=o;u+=l){let d=e[u];if(d!=null){if(d<=a)return!1;a=d}}return!0}var Mu=["January","February","March",
"April","May","June","July","August","September","October","November","December"],Du=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Ru(e){
return e.slice(0,3)}var rp=Du.map(Ru),op=Mu.map(Ru),sp={MMMM:Mu,MMM:op,WWWW:Du,WWW:rp};function oo(e){return(e<10?"0":"")+e}function lp(e){return(e<10?"00":e<100?
"0":"")+e}var ip={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>oo(e.getMonth()+
1),M:e=>e.getMonth()+1,DD:e=>oo(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>oo(e.getHours()),H:e=>e.getHours(),
h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>oo(e.
getMinutes()),m:e=>e.getMinutes(),ss:e=>oo(e.getSeconds()),s:e=>e.getSeconds(),fff:e=>lp(e.getMilliseconds())};function Ol(e,t){t=t||sp;let n=[],r=/\{([a-z]+)\}|[^{]+/gi,
o;for(;o=r.exec(e);)n.push(o[0][0]=="{"?ip[o[1]]:o[0]);return l=>{let a="";for(let u=0;u<n.length;u++)a+=typeof n[u]=="string"?n[u]:n[u](l,t);return a}}var ap=new Intl.
DateTimeFormat().resolvedOptions().timeZone;function up(e,t){let n;return t=="UTC"||t=="Etc/UTC"?n=new Date(+e+e.getTimezoneOffset()*6e4):t==ap?n=e:(n=new Date(
e.toLocaleString("en-US",{timeZone:t})),n.setMilliseconds(e.getMilliseconds())),n}var Au=e=>e%1==0,Qo=[1,2,2.5,5],cp=co(10,-32,0,Qo),Lu=co(10,0,32,Qo),dp=Lu.filter(
Au),Nn=cp.concat(Lu),$l=`
`,qu="{YYYY}",Ja=$l+qu,Ou="{M}/{D}",io=$l+Ou,Vo=io+"/{YY}",$u="{aa}",fp="{h}:{mm}",br=fp+$u,Xa=$l+br,eu=":{ss}",pe=null;function Fu(e){let t=e*1e3,n=t*60,r=n*60,
o=r*24,l=o*30,a=o*365,d=(e==1?co(10,0,3,Qo).filter(Au):co(10,-3,0,Qo)).concat([t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,r,r*2,r*3,r*4,r*6,r*8,r*12,o,o*2,o*3,o*
4,o*5,o*6,o*7,o*8,o*9,o*10,o*15,l,l*2,l*3,l*4,l*6,a,a*2,a*5,a*10,a*25,a*50,a*100]),m=[[a,qu,pe,pe,pe,pe,pe,pe,1],[o*28,"{MMM}",Ja,pe,pe,pe,pe,pe,1],[o,Ou,Ja,pe,
pe,pe,pe,pe,1],[r,"{h}"+$u,Vo,pe,io,pe,pe,pe,1],[n,br,Vo,pe,io,pe,pe,pe,1],[t,eu,Vo+" "+br,pe,io+" "+br,pe,Xa,pe,1],[e,eu+".{fff}",Vo+" "+br,pe,io+" "+br,pe,Xa,
pe,1]];function h(f){return(b,_,k,M,E,D)=>{let v=[],R=E>=a,T=E>=l&&E<a,Y=f(k),$=ye(Y*e,3),Z=gl(Y.getFullYear(),R?0:Y.getMonth(),T||R?1:Y.getDate()),I=ye(Z*e,3);
if(T||R){let J=T?E/l:0,N=R?E/a:0,C=$==I?$:ye(gl(Z.getFullYear()+N,Z.getMonth()+J,1)*e,3),W=new Date(Ie(C/e)),L=W.getFullYear(),V=W.getMonth();for(let H=0;C<=M;H++){
let oe=gl(L+N*H,V+J*H,1),U=oe-f(ye(oe*e,3));C=ye((+oe+U)*e,3),C<=M&&v.push(C)}}else{let J=E>=o?o:E,N=vt(k)-vt($),C=I+N+es($-I,J);v.push(C);let W=f(C),L=W.getHours()+
W.getMinutes()/n+W.getSeconds()/r,V=E/r,H=b.axes[_]._space,oe=D/H;for(;C=ye(C+E,e==1?0:3),!(C>M);)if(V>1){let U=vt(ye(L+V,6))%24,le=f(C).getHours()-U;le>1&&(le=
-1),C-=le*r,L=(L+V)%24;let ge=v[v.length-1];ye((C-ge)/E,3)*oe>=.7&&v.push(C)}else v.push(C)}return v}}return[d,m,h]}var[pp,mp,gp]=Fu(1),[hp,_p,bp]=Fu(.001);co(2,
-53,53,[1]);function tu(e,t){return e.map(n=>n.map((r,o)=>o==0||o==8||r==null?r:t(o==1||n[8]==0?r:n[1]+r)))}function nu(e,t){return(n,r,o,l,a)=>{let u=t.find(k=>a>=
k[0])||t[t.length-1],d,m,h,f,b,_;return r.map(k=>{let M=e(k),E=M.getFullYear(),D=M.getMonth(),v=M.getDate(),R=M.getHours(),T=M.getMinutes(),Y=M.getSeconds(),$=E!=
d&&u[2]||D!=m&&u[3]||v!=h&&u[4]||R!=f&&u[5]||T!=b&&u[6]||Y!=_&&u[7]||u[1];return d=E,m=D,h=v,f=R,b=T,_=Y,$(M)})}}function yp(e,t){let n=Ol(t);return(r,o,l,a,u)=>o.
map(d=>n(e(d)))}function gl(e,t,n){return new Date(e,t,n)}function ru(e,t){return t(e)}var wp="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function ou(e,t){return(n,r,o,l)=>l==
null?Ml:t(e(r))}function vp(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.width?n.points.stroke(e,t):null}function xp(e,t){return e.series[t].fill(
e,t)}var kp={show:!0,live:!0,isolate:!1,mount:Nf,markers:{show:!0,width:2,stroke:vp,fill:xp,dash:"solid"},idx:null,idxs:null,values:[]};function Tp(e,t){let n=e.
cursor.points,r=Rt(),o=n.size(e,t);Se(r,so,o),Se(r,lo,o);let l=o/-2;Se(r,"marginLeft",l),Se(r,"marginTop",l);let a=n.width(e,t,o);return a&&Se(r,"borderWidth",a),
r}function Sp(e,t){let n=e.series[t].points;return n._fill||n._stroke}function Ep(e,t){let n=e.series[t].points;return n._stroke||n._fill}function Pp(e,t){return e.
series[t].points.size}var hl=[0,0];function Cp(e,t,n){return hl[0]=t,hl[1]=n,hl}function Ko(e,t,n,r=!0){return o=>{o.button==0&&(!r||o.target==t)&&n(o)}}function _l(e,t,n,r=!0){
return o=>{(!r||o.target==t)&&n(o)}}var Mp={show:!0,x:!0,y:!0,lock:!1,move:Cp,points:{one:!1,show:Tp,size:Pp,width:0,stroke:Ep,fill:Sp},bind:{mousedown:Ko,mouseup:Ko,
click:Ko,dblclick:Ko,mousemove:_l,mouseleave:_l,mouseenter:_l},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},
_x:!1,_y:!1},focus:{dist:(e,t,n,r,o)=>r-o,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},zu={
show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Fl=Fe({},zu,{filter:Tu}),Gu=Fe({},Fl,{size:10}),Uu=Fe({},zu,{show:!1}),zl='12px system-ui, -apple-system, "Segoe UI",\
 Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Hu="bold "+zl,Nu=1.5,su={
show:!0,scale:"x",stroke:Cl,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Hu,side:2,grid:Fl,ticks:Gu,border:Uu,font:zl,lineGap:Nu,rotate:0},
Dp="Value",Rp="Time",lu={show:!0,scale:"x",auto:!1,sorted:1,min:be,max:-be,idxs:[]};function Ap(e,t,n,r,o){return t.map(l=>l==null?"":Ll(l))}function Lp(e,t,n,r,o,l,a){
let u=[],d=xn.get(o)||0;n=a?n:ye(es(n,o),d);for(let m=n;m<=r;m=ye(m+o,d))u.push(Object.is(m,-0)?0:m);return u}function kl(e,t,n,r,o,l,a){let u=[],d=e.scales[e.axes[t].
scale].log,m=d==10?sn:vu,h=vt(m(n));o=wr(d,h),d==10&&(o=Nn[Ht(o,Nn)]);let f=n,b=o*d;d==10&&(b=Nn[Ht(b,Nn)]);do u.push(f),f=f+o,d==10&&!xn.has(f)&&(f=ye(f,xn.get(
o))),f>=b&&(o=f,b=o*d,d==10&&(b=Nn[Ht(b,Nn)]));while(f<=r);return u}function qp(e,t,n,r,o,l,a){let d=e.scales[e.axes[t].scale].asinh,m=r>d?kl(e,t,at(d,n),r,o):[
d],h=r>=0&&n<=0?[0]:[];return(n<-d?kl(e,t,at(d,-r),-n,o):[d]).reverse().map(b=>-b).concat(h,m)}var Iu=/./,Op=/[12357]/,$p=/[125]/,iu=/1/,Tl=(e,t,n,r)=>e.map((o,l)=>t==
4&&o==0||l%r==0&&n.test(o.toExponential()[o<0?1:0])?o:null);function Fp(e,t,n,r,o){let l=e.axes[n],a=l.scale,u=e.scales[a],d=e.valToPos,m=l._space,h=d(10,a),f=d(
9,a)-h>=m?Iu:d(7,a)-h>=m?Op:d(5,a)-h>=m?$p:iu;if(f==iu){let b=We(d(1,a)-h);if(b<m)return Tl(t.slice().reverse(),u.distr,f,At(m/b)).reverse()}return Tl(t,u.distr,
f,1)}function zp(e,t,n,r,o){let l=e.axes[n],a=l.scale,u=l._space,d=e.valToPos,m=We(d(1,a)-d(2,a));return m<u?Tl(t.slice().reverse(),3,Iu,At(u/m)).reverse():t}function Gp(e,t,n,r){
return r==null?Ml:t==null?"":Ll(t)}var au={show:!0,scale:"y",stroke:Cl,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Hu,side:3,grid:Fl,ticks:Gu,
border:Uu,font:zl,lineGap:Nu,rotate:0};function Up(e,t){let n=3+(e||1)*2;return ye(n*t,3)}function Hp(e,t){let{scale:n,idxs:r}=e.series[0],o=e._data[0],l=e.valToPos(
o[r[0]],n,!0),a=e.valToPos(o[r[1]],n,!0),u=We(a-l),d=e.series[t],m=u/(d.points.space*de);return r[1]-r[0]<=m}var uu={scale:null,auto:!0,sorted:0,min:be,max:-be},
Wu=(e,t,n,r,o)=>o,cu={show:!0,auto:!0,sorted:0,gaps:Wu,alpha:1,facets:[Fe({},uu,{scale:"x"}),Fe({},uu,{scale:"y"})]},du={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,
gaps:Wu,alpha:1,points:{show:Hp,filter:null},values:null,min:be,max:-be,idxs:[],path:null,clip:null};function Np(e,t,n,r,o){return n/10}var ju={time:!0,auto:!0,
distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Ip=Fe({},ju,{time:!1,ori:1}),fu={};function Vu(e,t){let n=fu[e];return n||(n={key:e,plots:[],sub(r){n.plots.
push(r)},unsub(r){n.plots=n.plots.filter(o=>o!=r)},pub(r,o,l,a,u,d,m){for(let h=0;h<n.plots.length;h++)n.plots[h]!=o&&n.plots[h].pub(r,o,l,a,u,d,m)}},e!=null&&(fu[e]=
n)),n}var kr=1,Sl=2;function Vn(e,t,n){let r=e.mode,o=e.series[t],l=r==2?e._data[t]:e._data,a=e.scales,u=e.bbox,d=l[0],m=r==2?l[1]:l[t],h=r==2?a[o.facets[0].scale]:
a[e.series[0].scale],f=r==2?a[o.facets[1].scale]:a[o.scale],b=u.left,_=u.top,k=u.width,M=u.height,E=e.valToPosH,D=e.valToPosV;return h.ori==0?n(o,d,m,h,f,E,D,b,
_,k,M,rs,Sr,ss,Bu,Zu):n(o,d,m,h,f,D,E,_,b,M,k,os,Er,Hl,Yu,Qu)}function Gl(e,t){let n=0,r=0,o=ae(e.bands,ql);for(let l=0;l<o.length;l++){let a=o[l];a.series[0]==
t?n=a.dir:a.series[1]==t&&(a.dir==1?r|=1:r|=2)}return[n,r==1?-1:r==2?1:r==3?2:0]}function Wp(e,t,n,r,o){let l=e.mode,a=e.series[t],u=l==2?a.facets[1].scale:a.scale,
d=e.scales[u];return o==-1?d.min:o==1?d.max:d.distr==3?d.dir==1?d.min:d.max:0}function ln(e,t,n,r,o,l){return Vn(e,t,(a,u,d,m,h,f,b,_,k,M,E)=>{let D=a.pxRound,v=m.
dir*(m.ori==0?1:-1),R=m.ori==0?Sr:Er,T,Y;v==1?(T=n,Y=r):(T=r,Y=n);let $=D(f(u[T],m,M,_)),Z=D(b(d[T],h,E,k)),I=D(f(u[Y],m,M,_)),J=D(b(l==1?h.max:h.min,h,E,k)),N=new Path2D(
o);return R(N,I,J),R(N,$,J),R(N,$,Z),N})}function ns(e,t,n,r,o,l){let a=null;if(e.length>0){a=new Path2D;let u=t==0?ss:Hl,d=n;for(let f=0;f<e.length;f++){let b=e[f];
if(b[1]>b[0]){let _=b[0]-d;_>0&&u(a,d,r,_,r+l),d=b[1]}}let m=n+o-d,h=10;m>0&&u(a,d,r-h/2,m,r+l+h)}return a}function jp(e,t,n){let r=e[e.length-1];r&&r[0]==t?r[1]=
n:e.push([t,n])}function Ul(e,t,n,r,o,l,a){let u=[],d=e.length;for(let m=o==1?n:r;m>=n&&m<=r;m+=o)if(t[m]===null){let f=m,b=m;if(o==1)for(;++m<=r&&t[m]===null;)
b=m;else for(;--m>=n&&t[m]===null;)b=m;let _=l(e[f]),k=b==f?_:l(e[b]),M=f-o;_=a<=0&&M>=0&&M<d?l(e[M]):_;let D=b+o;k=a>=0&&D>=0&&D<d?l(e[D]):k,k>=_&&u.push([_,k])}
return u}function pu(e){return e==0?ku:e==1?Ie:t=>Hn(t,e)}function Ku(e){let t=e==0?rs:os,n=e==0?(o,l,a,u,d,m)=>{o.arcTo(l,a,u,d,m)}:(o,l,a,u,d,m)=>{o.arcTo(a,l,
d,u,m)},r=e==0?(o,l,a,u,d)=>{o.rect(l,a,u,d)}:(o,l,a,u,d)=>{o.rect(a,l,d,u)};return(o,l,a,u,d,m=0,h=0)=>{m==0&&h==0?r(o,l,a,u,d):(m=Nt(m,u/2,d/2),h=Nt(h,u/2,d/2),
t(o,l+m,a),n(o,l+u,a,l+u,a+d,m),n(o,l+u,a+d,l,a+d,h),n(o,l,a+d,l,a,h),n(o,l,a,l+u,a,m),o.closePath())}}var rs=(e,t,n)=>{e.moveTo(t,n)},os=(e,t,n)=>{e.moveTo(n,t)},
Sr=(e,t,n)=>{e.lineTo(t,n)},Er=(e,t,n)=>{e.lineTo(n,t)},ss=Ku(0),Hl=Ku(1),Bu=(e,t,n,r,o,l)=>{e.arc(t,n,r,o,l)},Yu=(e,t,n,r,o,l)=>{e.arc(n,t,r,o,l)},Zu=(e,t,n,r,o,l,a)=>{
e.bezierCurveTo(t,n,r,o,l,a)},Qu=(e,t,n,r,o,l,a)=>{e.bezierCurveTo(n,t,o,r,a,l)};function Ju(e){return(t,n,r,o,l)=>Vn(t,n,(a,u,d,m,h,f,b,_,k,M,E)=>{let{pxRound:D,
points:v}=a,R,T;m.ori==0?(R=rs,T=Bu):(R=os,T=Yu);let Y=ye(v.width*de,3),$=(v.size-v.width)/2*de,Z=ye($*2,3),I=new Path2D,J=new Path2D,{left:N,top:C,width:W,height:L}=t.
bbox;ss(J,N-Z,C-Z,W+Z*2,L+Z*2);let V=H=>{if(d[H]!=null){let oe=D(f(u[H],m,M,_)),U=D(b(d[H],h,E,k));R(I,oe+$,U),T(I,oe,U,$,0,Bo*2)}};if(l)l.forEach(V);else for(let H=r;H<=
o;H++)V(H);return{stroke:Y>0?I:null,fill:I,clip:J,flags:kr|Sl}})}function Xu(e){return(t,n,r,o,l,a)=>{r!=o&&(l!=r&&a!=r&&e(t,n,r),l!=o&&a!=o&&e(t,n,o),e(t,n,a))}}
var Vp=Xu(Sr),Kp=Xu(Er);function ec(e){let t=ae(e?.alignGaps,0);return(n,r,o,l)=>Vn(n,r,(a,u,d,m,h,f,b,_,k,M,E)=>{[o,l]=Jo(d,o,l);let D=a.pxRound,v=L=>D(f(L,m,M,
_)),R=L=>D(b(L,h,E,k)),T,Y;m.ori==0?(T=Sr,Y=Vp):(T=Er,Y=Kp);let $=m.dir*(m.ori==0?1:-1),Z={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:kr},I=Z.
stroke,J=!1;if(l-o>=M*4){let L=z=>n.posToVal(z,m.key,!0),V=null,H=null,oe,U,ut,Ee=v(u[$==1?o:l]),le=v(u[o]),ge=v(u[l]),X=L($==1?le+1:ge-1);for(let z=$==1?o:l;z>=
o&&z<=l;z+=$){let ze=u[z],Pe=($==1?ze<X:ze>X)?Ee:v(ze),fe=d[z];Pe==Ee?fe!=null?(U=fe,V==null?(T(I,Pe,R(U)),oe=V=H=U):U<V?V=U:U>H&&(H=U)):fe===null&&(J=!0):(V!=null&&
Y(I,Ee,R(V),R(H),R(oe),R(U)),fe!=null?(U=fe,T(I,Pe,R(U)),V=H=oe=U):(V=H=null,fe===null&&(J=!0)),Ee=Pe,X=L(Ee+$))}V!=null&&V!=H&&ut!=Ee&&Y(I,Ee,R(V),R(H),R(oe),R(
U))}else for(let L=$==1?o:l;L>=o&&L<=l;L+=$){let V=d[L];V===null?J=!0:V!=null&&T(I,v(u[L]),R(V))}let[C,W]=Gl(n,r);if(a.fill!=null||C!=0){let L=Z.fill=new Path2D(
I),V=a.fillTo(n,r,a.min,a.max,C),H=R(V),oe=v(u[o]),U=v(u[l]);$==-1&&([U,oe]=[oe,U]),T(L,U,H),T(L,oe,H)}if(!a.spanGaps){let L=[];J&&L.push(...Ul(u,d,o,l,$,v,t)),
Z.gaps=L=a.gaps(n,r,o,l,L),Z.clip=ns(L,m.ori,_,k,M,E)}return W!=0&&(Z.band=W==2?[ln(n,r,o,l,I,-1),ln(n,r,o,l,I,1)]:ln(n,r,o,l,I,W)),Z})}function Bp(e){let t=ae(
e.align,1),n=ae(e.ascDesc,!1),r=ae(e.alignGaps,0),o=ae(e.extend,!1);return(l,a,u,d)=>Vn(l,a,(m,h,f,b,_,k,M,E,D,v,R)=>{[u,d]=Jo(f,u,d);let T=m.pxRound,{left:Y,width:$}=l.
bbox,Z=le=>T(k(le,b,v,E)),I=le=>T(M(le,_,R,D)),J=b.ori==0?Sr:Er,N={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:kr},C=N.stroke,W=b.dir*(b.ori==
0?1:-1),L=I(f[W==1?u:d]),V=Z(h[W==1?u:d]),H=V,oe=V;o&&t==-1&&(oe=Y,J(C,oe,L)),J(C,V,L);for(let le=W==1?u:d;le>=u&&le<=d;le+=W){let ge=f[le];if(ge==null)continue;
let X=Z(h[le]),z=I(ge);t==1?J(C,X,L):J(C,H,z),J(C,X,z),L=z,H=X}let U=H;o&&t==1&&(U=Y+$,J(C,U,L));let[ut,Ee]=Gl(l,a);if(m.fill!=null||ut!=0){let le=N.fill=new Path2D(
C),ge=m.fillTo(l,a,m.min,m.max,ut),X=I(ge);J(le,U,X),J(le,oe,X)}if(!m.spanGaps){let le=[];le.push(...Ul(h,f,u,d,W,Z,r));let ge=m.width*de/2,X=n||t==1?ge:-ge,z=n||
t==-1?-ge:ge;le.forEach(ze=>{ze[0]+=X,ze[1]+=z}),N.gaps=le=m.gaps(l,a,u,d,le),N.clip=ns(le,b.ori,E,D,v,R)}return Ee!=0&&(N.band=Ee==2?[ln(l,a,u,d,C,-1),ln(l,a,u,
d,C,1)]:ln(l,a,u,d,C,Ee)),N})}function mu(e,t,n,r,o,l,a=be){if(e.length>1){let u=null;for(let d=0,m=1/0;d<e.length;d++)if(t[d]!==void 0){if(u!=null){let h=We(e[d]-
e[u]);h<m&&(m=h,a=We(n(e[d],r,o,l)-n(e[u],r,o,l)))}u=d}}return a}function Yp(e){e=e||uo;let t=ae(e.size,[.6,be,1]),n=e.align||0,r=e.gap||0,o=e.radius;o=o==null?
[0,0]:typeof o=="number"?[o,0]:o;let l=re(o),a=1-t[0],u=ae(t[1],be),d=ae(t[2],1),m=ae(e.disp,uo),h=ae(e.each,_=>{}),{fill:f,stroke:b}=m;return(_,k,M,E)=>Vn(_,k,
(D,v,R,T,Y,$,Z,I,J,N,C)=>{let W=D.pxRound,L=n,V=r*de,H=u*de,oe=d*de,U,ut;T.ori==0?[U,ut]=l(_,k):[ut,U]=l(_,k);let Ee=T.dir*(T.ori==0?1:-1),le=T.ori==0?ss:Hl,ge=T.
ori==0?h:(O,we,Ge,Zn,Sn,Wt,En)=>{h(O,we,Ge,Sn,Zn,En,Wt)},X=ae(_.bands,ql).find(O=>O.series[0]==k),z=X!=null?X.dir:0,ze=D.fillTo(_,k,D.min,D.max,z),nt=W(Z(ze,Y,C,
J)),Pe,fe,Lt,ft=N,De=W(D.width*de),It=!1,tn=null,kt=null,an=null,Kn=null;f!=null&&(De==0||b!=null)&&(It=!0,tn=f.values(_,k,M,E),kt=new Map,new Set(tn).forEach(O=>{
O!=null&&kt.set(O,new Path2D)}),De>0&&(an=b.values(_,k,M,E),Kn=new Map,new Set(an).forEach(O=>{O!=null&&Kn.set(O,new Path2D)})));let{x0:Bn,size:Dr}=m;if(Bn!=null&&
Dr!=null){L=1,v=Bn.values(_,k,M,E),Bn.unit==2&&(v=v.map(Ge=>_.posToVal(I+Ge*N,T.key,!0)));let O=Dr.values(_,k,M,E);Dr.unit==2?fe=O[0]*N:fe=$(O[0],T,N,I)-$(0,T,N,
I),ft=mu(v,R,$,T,N,I,ft),Lt=ft-fe+V}else ft=mu(v,R,$,T,N,I,ft),Lt=ft*a+V,fe=ft-Lt;Lt<1&&(Lt=0),De>=fe/2&&(De=0),Lt<5&&(W=ku);let mo=Lt>0,kn=ft-Lt-(mo?De:0);fe=W(
xl(kn,oe,H)),Pe=(L==0?fe/2:L==Ee?0:fe)-L*Ee*((L==0?V/2:0)+(mo?De/2:0));let rt={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},Yn=It?null:new Path2D,
nn=null;if(X!=null)nn=_.data[X.series[1]];else{let{y0:O,y1:we}=m;O!=null&&we!=null&&(R=we.values(_,k,M,E),nn=O.values(_,k,M,E))}let Tn=U*fe,Q=ut*fe;for(let O=Ee==
1?M:E;O>=M&&O<=E;O+=Ee){let we=R[O];if(we==null)continue;if(nn!=null){let ct=nn[O]??0;if(we-ct==0)continue;nt=Z(ct,Y,C,J)}let Ge=T.distr!=2||m!=null?v[O]:O,Zn=$(
Ge,T,N,I),Sn=Z(ae(we,ze),Y,C,J),Wt=W(Zn-Pe),En=W(at(Sn,nt)),pt=W(Nt(Sn,nt)),Tt=En-pt;if(we!=null){let ct=we<0?Q:Tn,qt=we<0?Tn:Q;It?(De>0&&an[O]!=null&&le(Kn.get(
an[O]),Wt,pt+vt(De/2),fe,at(0,Tt-De),ct,qt),tn[O]!=null&&le(kt.get(tn[O]),Wt,pt+vt(De/2),fe,at(0,Tt-De),ct,qt)):le(Yn,Wt,pt+vt(De/2),fe,at(0,Tt-De),ct,qt),ge(_,
k,O,Wt-De/2,pt,fe+De,Tt)}}return De>0?rt.stroke=It?Kn:Yn:It||(rt._fill=D.width==0?D._fill:D._stroke??D._fill,rt.width=0),rt.fill=It?kt:Yn,rt})}function Zp(e,t){
let n=ae(t?.alignGaps,0);return(r,o,l,a)=>Vn(r,o,(u,d,m,h,f,b,_,k,M,E,D)=>{[l,a]=Jo(m,l,a);let v=u.pxRound,R=U=>v(b(U,h,E,k)),T=U=>v(_(U,f,D,M)),Y,$,Z;h.ori==0?
(Y=rs,Z=Sr,$=Zu):(Y=os,Z=Er,$=Qu);let I=h.dir*(h.ori==0?1:-1),J=R(d[I==1?l:a]),N=J,C=[],W=[];for(let U=I==1?l:a;U>=l&&U<=a;U+=I)if(m[U]!=null){let Ee=d[U],le=R(
Ee);C.push(N=le),W.push(T(m[U]))}let L={stroke:e(C,W,Y,Z,$,v),fill:null,clip:null,band:null,gaps:null,flags:kr},V=L.stroke,[H,oe]=Gl(r,o);if(u.fill!=null||H!=0){
let U=L.fill=new Path2D(V),ut=u.fillTo(r,o,u.min,u.max,H),Ee=T(ut);Z(U,N,Ee),Z(U,J,Ee)}if(!u.spanGaps){let U=[];U.push(...Ul(d,m,l,a,I,R,n)),L.gaps=U=u.gaps(r,o,
l,a,U),L.clip=ns(U,h.ori,k,M,E,D)}return oe!=0&&(L.band=oe==2?[ln(r,o,l,a,V,-1),ln(r,o,l,a,V,1)]:ln(r,o,l,a,V,oe)),L})}function Qp(e){return Zp(Jp,e)}function Jp(e,t,n,r,o,l){
let a=e.length;if(a<2)return null;let u=new Path2D;if(n(u,e[0],t[0]),a==2)r(u,e[1],t[1]);else{let d=Array(a),m=Array(a-1),h=Array(a-1),f=Array(a-1);for(let b=0;b<
a-1;b++)h[b]=t[b+1]-t[b],f[b]=e[b+1]-e[b],m[b]=h[b]/f[b];d[0]=m[0];for(let b=1;b<a-1;b++)m[b]===0||m[b-1]===0||m[b-1]>0!=m[b]>0?d[b]=0:(d[b]=3*(f[b-1]+f[b])/((2*
f[b]+f[b-1])/m[b-1]+(f[b]+2*f[b-1])/m[b]),isFinite(d[b])||(d[b]=0));d[a-1]=m[a-2];for(let b=0;b<a-1;b++)o(u,e[b]+f[b]/3,t[b]+d[b]*f[b]/3,e[b+1]-f[b]/3,t[b+1]-d[b+
1]*f[b]/3,e[b+1],t[b+1])}return u}var El=new Set;function gu(){for(let e of El)e.syncRect(!0)}Tr&&(Wn(Af,yr,gu),Wn(Lf,yr,gu,!0),Wn(Yo,yr,()=>{je.pxRatio=de}));var Xp=ec(),
em=Ju();function hu(e,t,n,r){return(r?[e[0],e[1]].concat(e.slice(2)):[e[0]].concat(e.slice(1))).map((l,a)=>Pl(l,a,t,n))}function tm(e,t){return e.map((n,r)=>r==
0?{}:Fe({},t,n))}function Pl(e,t,n,r){return Fe({},t==0?n:r,e)}function tc(e,t,n){return t==null?vr:[t,n]}var nm=tc;function rm(e,t,n){return t==null?vr:Zo(t,n,
Al,!0)}function nc(e,t,n,r){return t==null?vr:Xo(t,n,e.scales[r].log,!1)}var om=nc;function rc(e,t,n,r){return t==null?vr:Rl(t,n,e.scales[r].log,!1)}var sm=rc;function lm(e,t,n,r,o){
let l=at(Ba(e),Ba(t)),a=t-e,u=Ht(o/r*a,n);do{let d=n[u],m=r*d/a;if(m>=o&&l+(d<5?xn.get(d):0)<=17)return[d,m]}while(++u<n.length);return[0,0]}function _u(e){let t,
n;return e=e.replace(/(\d+)px/,(r,o)=>(t=Ie((n=+o)*de))+"px"),[e,t,n]}function im(e){e.show&&[e.font,e.labelFont].forEach(t=>{let n=ye(t[2]*de,1);t[0]=t[0].replace(
/[0-9.]+px/,n+"px"),t[1]=n})}function je(e,t,n){let r={mode:ae(e.mode,1)},o=r.mode;function l(i,c,p,g){let y=c.valToPct(i);return g+p*(c.dir==-1?1-y:y)}function a(i,c,p,g){
let y=c.valToPct(i);return g+p*(c.dir==-1?y:1-y)}function u(i,c,p,g){return c.ori==0?l(i,c,p,g):a(i,c,p,g)}r.valToPosH=l,r.valToPosV=a;let d=!1;r.status=0;let m=r.
root=Rt(mf);if(e.id!=null&&(m.id=e.id),wt(m,e.class),e.title){let i=Rt(_f,m);i.textContent=e.title}let h=Ut("canvas"),f=r.ctx=h.getContext("2d"),b=Rt(bf,m);Wn("\
click",b,i=>{i.target===k&&(xe!=ir||Ce!=ar)&&et.click(r,i)},!0);let _=r.under=Rt(yf,b);b.appendChild(h);let k=r.over=Rt(wf,b);e=xr(e);let M=+ae(e.pxAlign,1),E=pu(
M);(e.plugins||[]).forEach(i=>{i.opts&&(e=i.opts(r,e)||e)});let D=e.ms||.001,v=r.series=o==1?hu(e.series||[],lu,du,!1):tm(e.series||[null],cu),R=r.axes=hu(e.axes||
[],su,au,!0),T=r.scales={},Y=r.bands=e.bands||[];Y.forEach(i=>{i.fill=re(i.fill||null),i.dir=ae(i.dir,-1)});let $=o==2?v[1].facets[0].scale:v[0].scale,Z={axes:$c,
series:Rc},I=(e.drawOrder||["axes","series"]).map(i=>Z[i]);function J(i){let c=i.distr==3?p=>sn(p>0?p:i.clamp(r,p,i.min,i.max,i.key)):i.distr==4?p=>ml(p,i.asinh):
i.distr==100?p=>i.fwd(p):p=>p;return p=>{let g=c(p),{_min:y,_max:w}=i,x=w-y;return(g-y)/x}}function N(i){let c=T[i];if(c==null){let p=(e.scales||uo)[i]||uo;if(p.
from!=null){N(p.from);let g=Fe({},T[p.from],p,{key:i});g.valToPct=J(g),T[i]=g}else{c=T[i]=Fe({},i==$?ju:Ip,p),c.key=i;let g=c.time,y=c.range,w=vn(y);if((i!=$||o==
2&&!g)&&(w&&(y[0]==null||y[1]==null)&&(y={min:y[0]==null?ja:{mode:1,hard:y[0],soft:y[0]},max:y[1]==null?ja:{mode:1,hard:y[1],soft:y[1]}},w=!1),!w&&ts(y))){let x=y;
y=(S,P,A)=>P==null?vr:Zo(P,A,x)}c.range=re(y||(g?nm:i==$?c.distr==3?om:c.distr==4?sm:tc:c.distr==3?nc:c.distr==4?rc:rm)),c.auto=re(w?!1:c.auto),c.clamp=re(c.clamp||
Np),c._min=c._max=null,c.valToPct=J(c)}}}N("x"),N("y"),o==1&&v.forEach(i=>{N(i.scale)}),R.forEach(i=>{N(i.scale)});for(let i in e.scales)N(i);let C=T[$],W=C.distr,
L,V;C.ori==0?(wt(m,gf),L=l,V=a):(wt(m,hf),L=a,V=l);let H={};for(let i in T){let c=T[i];(c.min!=null||c.max!=null)&&(H[i]={min:c.min,max:c.max},c.min=c.max=null)}
let oe=e.tzDate||(i=>new Date(Ie(i/D))),U=e.fmtDate||Ol,ut=D==1?gp(oe):bp(oe),Ee=nu(oe,tu(D==1?mp:_p,U)),le=ou(oe,ru(wp,U)),ge=[],X=r.legend=Fe({},kp,e.legend),
z=r.cursor=Fe({},Mp,{drag:{y:o==2}},e.cursor),ze=X.show,nt=z.show,Pe=X.markers;X.idxs=ge,Pe.width=re(Pe.width),Pe.dash=re(Pe.dash),Pe.stroke=re(Pe.stroke),Pe.fill=
re(Pe.fill);let fe,Lt,ft,De=[],It=[],tn,kt=!1,an={};if(X.live){let i=v[1]?v[1].values:null;kt=i!=null,tn=kt?i(r,1,0):{_:0};for(let c in tn)an[c]=Ml}if(ze)if(fe=
Ut("table",Ef,m),ft=Ut("tbody",null,fe),X.mount(r,fe),kt){Lt=Ut("thead",null,fe,ft);let i=Ut("tr",null,Lt);Ut("th",null,i);for(var Kn in tn)Ut("th",Aa,i).textContent=
Kn}else wt(fe,Cf),X.live&&wt(fe,Pf);let Bn={show:!0},Dr={show:!1};function mo(i,c){if(c==0&&(kt||!X.live||o==2))return vr;let p=[],g=Ut("tr",Mf,ft,ft.childNodes[c]);
wt(g,i.class),i.show||wt(g,In);let y=Ut("th",null,g);if(Pe.show){let S=Rt(Df,y);if(c>0){let P=Pe.width(r,c);P&&(S.style.border=P+"px "+Pe.dash(r,c)+" "+Pe.stroke(
r,c)),S.style.background=Pe.fill(r,c)}}let w=Rt(Aa,y);i.label instanceof HTMLElement?w.appendChild(i.label):w.textContent=i.label,c>0&&(Pe.show||(w.style.color=
i.width>0?Pe.stroke(r,c):Pe.fill(r,c)),rt("click",y,S=>{if(z._lock)return;Cn(S);let P=v.indexOf(i);if((S.ctrlKey||S.metaKey)!=X.isolate){let A=v.some((q,F)=>F>0&&
F!=P&&q.show);v.forEach((q,F)=>{F>0&&Vt(F,A?F==P?Bn:Dr:Bn,!0,qe.setSeries)})}else Vt(P,{show:!i.show},!0,qe.setSeries)},!1),Jn&&rt($a,y,S=>{z._lock||(Cn(S),Vt(v.
indexOf(i),cr,!0,qe.setSeries))},!1));for(var x in tn){let S=Ut("td",Rf,g);S.textContent="--",p.push(S)}return[g,p]}let kn=new Map;function rt(i,c,p,g=!0){let y=kn.
get(c)||{},w=z.bind[i](r,c,p,g);w&&(Wn(i,c,y[i]=w),kn.set(c,y))}function Yn(i,c,p){let g=kn.get(c)||{};for(let y in g)(i==null||y==i)&&(vl(y,c,g[y]),delete g[y]);
i==null&&kn.delete(c)}let nn=0,Tn=0,Q=0,O=0,we=0,Ge=0,Zn=we,Sn=Ge,Wt=Q,En=O,pt=0,Tt=0,ct=0,qt=0;r.bbox={};let cs=!1,go=!1,Qn=!1,Pn=!1,ho=!1,St=!1;function ds(i,c,p){
(p||i!=r.width||c!=r.height)&&ti(i,c),rr(!1),Qn=!0,go=!0,or()}function ti(i,c){r.width=nn=Q=i,r.height=Tn=O=c,we=Ge=0,Tc(),Sc();let p=r.bbox;pt=p.left=Hn(we*de,
.5),Tt=p.top=Hn(Ge*de,.5),ct=p.width=Hn(Q*de,.5),qt=p.height=Hn(O*de,.5)}let vc=3;function xc(){let i=!1,c=0;for(;!i;){c++;let p=qc(c),g=Oc(c);i=c==vc||p&&g,i||
(ti(r.width,r.height),go=!0)}}function kc({width:i,height:c}){ds(i,c)}r.setSize=kc;function Tc(){let i=!1,c=!1,p=!1,g=!1;R.forEach((y,w)=>{if(y.show&&y._show){let{
side:x,_size:S}=y,P=x%2,A=y.label!=null?y.labelSize:0,q=S+A;q>0&&(P?(Q-=q,x==3?(we+=q,g=!0):p=!0):(O-=q,x==0?(Ge+=q,i=!0):c=!0))}}),Mn[0]=i,Mn[1]=p,Mn[2]=c,Mn[3]=
g,Q-=un[1]+un[3],we+=un[3],O-=un[2]+un[0],Ge+=un[0]}function Sc(){let i=we+Q,c=Ge+O,p=we,g=Ge;function y(w,x){switch(w){case 1:return i+=x,i-x;case 2:return c+=
x,c-x;case 3:return p-=x,p+x;case 0:return g-=x,g+x}}R.forEach((w,x)=>{if(w.show&&w._show){let S=w.side;w._pos=y(S,w._size),w.label!=null&&(w._lpos=y(S,w.labelSize))}})}
if(z.dataIdx==null){let i=z.hover,c=i.skip=new Set(i.skip??[]);c.add(void 0);let p=i.prox=re(i.prox),g=i.bias??=0;z.dataIdx=(y,w,x,S)=>{if(w==0)return x;let P=x,
A=p(y,w,x,S)??be,q=A>=0&&A<be,F=C.ori==0?Q:O,K=z.left,ue=t[0],ie=t[w];if(c.has(ie[x])){P=null;let ee=null,j=null,G;if(g==0||g==-1)for(G=x;ee==null&&G-- >0;)c.has(
ie[G])||(ee=G);if(g==0||g==1)for(G=x;j==null&&G++<ie.length;)c.has(ie[G])||(j=G);if(ee!=null||j!=null)if(q){let Te=ee==null?-1/0:L(ue[ee],C,F,0),Re=j==null?1/0:
L(ue[j],C,F,0),Qe=K-Te,he=Re-K;Qe<=he?Qe<=A&&(P=ee):he<=A&&(P=j)}else P=j==null?ee:ee==null?j:x-ee<=j-x?ee:j}else q&&We(K-L(ue[x],C,F,0))>A&&(P=null);return P}}
let Cn=i=>{z.event=i};z.idxs=ge,z._lock=!1;let tt=z.points;tt.show=re(tt.show),tt.size=re(tt.size),tt.stroke=re(tt.stroke),tt.width=re(tt.width),tt.fill=re(tt.fill);
let jt=r.focus=Fe({},e.focus||{alpha:.3},z.focus),Jn=jt.prox>=0,Xn=Jn&&tt.one,Et=[],er=[],tr=[];function ni(i,c){let p=tt.show(r,c);if(p instanceof HTMLElement)
return wt(p,Sf),wt(p,i.class),Xt(p,-10,-10,Q,O),k.insertBefore(p,Et[c]),p}function ri(i,c){if(o==1||c>0){let p=o==1&&T[i.scale].time,g=i.value;i.value=p?Qa(g)?ou(
oe,ru(g,U)):g||le:g||Gp,i.label=i.label||(p?Rp:Dp)}if(Xn||c>0){i.width=i.width==null?1:i.width,i.paths=i.paths||Xp||If,i.fillTo=re(i.fillTo||Wp),i.pxAlign=+ae(i.
pxAlign,M),i.pxRound=pu(i.pxAlign),i.stroke=re(i.stroke||null),i.fill=re(i.fill||null),i._stroke=i._fill=i._paths=i._focus=null;let p=Up(at(1,i.width),1),g=i.points=
Fe({},{size:p,width:at(1,p*.2),stroke:i.stroke,space:p*2,paths:em,_stroke:null,_fill:null},i.points);g.show=re(g.show),g.filter=re(g.filter),g.fill=re(g.fill),g.
stroke=re(g.stroke),g.paths=re(g.paths),g.pxAlign=i.pxAlign}if(ze){let p=mo(i,c);De.splice(c,0,p[0]),It.splice(c,0,p[1]),X.values.push(null)}if(nt){ge.splice(c,
0,null);let p=null;Xn?c==0&&(p=ni(i,c)):c>0&&(p=ni(i,c)),Et.splice(c,0,p),er.splice(c,0,0),tr.splice(c,0,0)}Ze("addSeries",c)}function Ec(i,c){c=c??v.length,i=o==
1?Pl(i,c,lu,du):Pl(i,c,{},cu),v.splice(c,0,i),ri(v[c],c)}r.addSeries=Ec;function Pc(i){if(v.splice(i,1),ze){X.values.splice(i,1),It.splice(i,1);let c=De.splice(
i,1)[0];Yn(null,c.firstChild),c.remove()}nt&&(ge.splice(i,1),Et.splice(i,1)[0].remove(),er.splice(i,1),tr.splice(i,1)),Ze("delSeries",i)}r.delSeries=Pc;let Mn=[
!1,!1,!1,!1];function Cc(i,c){if(i._show=i.show,i.show){let p=i.side%2,g=T[i.scale];g==null&&(i.scale=p?v[1].scale:$,g=T[i.scale]);let y=g.time;i.size=re(i.size),
i.space=re(i.space),i.rotate=re(i.rotate),vn(i.incrs)&&i.incrs.forEach(x=>{!xn.has(x)&&xn.set(x,Eu(x))}),i.incrs=re(i.incrs||(g.distr==2?dp:y?D==1?pp:hp:Nn)),i.
splits=re(i.splits||(y&&g.distr==1?ut:g.distr==3?kl:g.distr==4?qp:Lp)),i.stroke=re(i.stroke),i.grid.stroke=re(i.grid.stroke),i.ticks.stroke=re(i.ticks.stroke),i.
border.stroke=re(i.border.stroke);let w=i.values;i.values=vn(w)&&!vn(w[0])?re(w):y?vn(w)?nu(oe,tu(w,U)):Qa(w)?yp(oe,w):w||Ee:w||Ap,i.filter=re(i.filter||(g.distr>=
3&&g.log==10?Fp:g.distr==3&&g.log==2?zp:Tu)),i.font=_u(i.font),i.labelFont=_u(i.labelFont),i._size=i.size(r,null,c,0),i._space=i._rotate=i._incrs=i._found=i._splits=
i._values=null,i._size>0&&(Mn[c]=!0,i._el=Rt(vf,b))}}function Rr(i,c,p,g){let[y,w,x,S]=p,P=c%2,A=0;return P==0&&(S||w)&&(A=c==0&&!y||c==2&&!x?Ie(su.size/3):0),P==
1&&(y||x)&&(A=c==1&&!w||c==3&&!S?Ie(au.size/2):0),A}let oi=r.padding=(e.padding||[Rr,Rr,Rr,Rr]).map(i=>re(ae(i,Rr))),un=r._padding=oi.map((i,c)=>i(r,c,Mn,0)),Xe,
Ve=null,Ke=null,_o=o==1?v[0].idxs:null,Ot=null,Ar=!1;function si(i,c){if(t=i??[],r.data=r._data=t,o==2){Xe=0;for(let p=1;p<v.length;p++)Xe+=t[p][0].length}else{
t.length==0&&(r.data=r._data=t=[[]]),Ot=t[0],Xe=Ot.length;let p=t;if(W==2){p=t.slice();let g=p[0]=Array(Xe);for(let y=0;y<Xe;y++)g[y]=y}r._data=t=p}if(rr(!0),Ze(
"setData"),W==2&&(Qn=!0),c!==!1){let p=C;p.auto(r,Ar)?fs():dn($,p.min,p.max),Pn=Pn||z.left>=0,St=!0,or()}}r.setData=si;function fs(){Ar=!0;let i,c;o==1&&(Xe>0?(Ve=
_o[0]=0,Ke=_o[1]=Xe-1,i=t[0][Ve],c=t[0][Ke],W==2?(i=Ve,c=Ke):i==c&&(W==3?[i,c]=Xo(i,i,C.log,!1):W==4?[i,c]=Rl(i,i,C.log,!1):C.time?c=i+Ie(86400/D):[i,c]=Zo(i,c,
Al,!0))):(Ve=_o[0]=i=null,Ke=_o[1]=c=null)),dn($,i,c)}let bo,nr,ps,ms,gs,hs,_s,bs,ys,dt;function li(i,c,p,g,y,w){i??=qa,p??=ql,g??="butt",y??=qa,w??="round",i!=
bo&&(f.strokeStyle=bo=i),y!=nr&&(f.fillStyle=nr=y),c!=ps&&(f.lineWidth=ps=c),w!=gs&&(f.lineJoin=gs=w),g!=hs&&(f.lineCap=hs=g),p!=ms&&f.setLineDash(ms=p)}function ii(i,c,p,g){
c!=nr&&(f.fillStyle=nr=c),i!=_s&&(f.font=_s=i),p!=bs&&(f.textAlign=bs=p),g!=ys&&(f.textBaseline=ys=g)}function ws(i,c,p,g,y=0){if(g.length>0&&i.auto(r,Ar)&&(c==
null||c.min==null)){let w=ae(Ve,0),x=ae(Ke,g.length-1),S=p.min==null?Ff(g,w,x,y,i.distr==3):[p.min,p.max];i.min=Nt(i.min,p.min=S[0]),i.max=at(i.max,p.max=S[1])}}
let ai={min:null,max:null};function Mc(){for(let g in T){let y=T[g];H[g]==null&&(y.min==null||H[$]!=null&&y.auto(r,Ar))&&(H[g]=ai)}for(let g in T){let y=T[g];H[g]==
null&&y.from!=null&&H[y.from]!=null&&(H[g]=ai)}H[$]!=null&&rr(!0);let i={};for(let g in H){let y=H[g];if(y!=null){let w=i[g]=xr(T[g],Vf);if(y.min!=null)Fe(w,y);else if(g!=
$||o==2)if(Xe==0&&w.from==null){let x=w.range(r,null,null,g);w.min=x[0],w.max=x[1]}else w.min=be,w.max=-be}}if(Xe>0){v.forEach((g,y)=>{if(o==1){let w=g.scale,x=H[w];
if(x==null)return;let S=i[w];if(y==0){let P=S.range(r,S.min,S.max,w);S.min=P[0],S.max=P[1],Ve=Ht(S.min,t[0]),Ke=Ht(S.max,t[0]),Ke-Ve>1&&(t[0][Ve]<S.min&&Ve++,t[0][Ke]>
S.max&&Ke--),g.min=Ot[Ve],g.max=Ot[Ke]}else g.show&&g.auto&&ws(S,x,g,t[y],g.sorted);g.idxs[0]=Ve,g.idxs[1]=Ke}else if(y>0&&g.show&&g.auto){let[w,x]=g.facets,S=w.
scale,P=x.scale,[A,q]=t[y],F=i[S],K=i[P];F!=null&&ws(F,H[S],w,A,w.sorted),K!=null&&ws(K,H[P],x,q,x.sorted),g.min=x.min,g.max=x.max}});for(let g in i){let y=i[g],
w=H[g];if(y.from==null&&(w==null||w.min==null)){let x=y.range(r,y.min==be?null:y.min,y.max==-be?null:y.max,g);y.min=x[0],y.max=x[1]}}}for(let g in i){let y=i[g];
if(y.from!=null){let w=i[y.from];if(w.min==null)y.min=y.max=null;else{let x=y.range(r,w.min,w.max,g);y.min=x[0],y.max=x[1]}}}let c={},p=!1;for(let g in i){let y=i[g],
w=T[g];if(w.min!=y.min||w.max!=y.max){w.min=y.min,w.max=y.max;let x=w.distr;w._min=x==3?sn(w.min):x==4?ml(w.min,w.asinh):x==100?w.fwd(w.min):w.min,w._max=x==3?sn(
w.max):x==4?ml(w.max,w.asinh):x==100?w.fwd(w.max):w.max,c[g]=p=!0}}if(p){v.forEach((g,y)=>{o==2?y>0&&c.y&&(g._paths=null):c[g.scale]&&(g._paths=null)});for(let g in c)
Qn=!0,Ze("setScale",g);nt&&z.left>=0&&(Pn=St=!0)}for(let g in H)H[g]=null}function Dc(i){let c=xl(Ve-1,0,Xe-1),p=xl(Ke+1,0,Xe-1);for(;i[c]==null&&c>0;)c--;for(;i[p]==
null&&p<Xe-1;)p++;return[c,p]}function Rc(){if(Xe>0){let i=v.some(c=>c._focus)&&dt!=jt.alpha;i&&(f.globalAlpha=dt=jt.alpha),v.forEach((c,p)=>{if(p>0&&c.show&&(ui(
p,!1),ui(p,!0),c._paths==null)){let g=dt;dt!=c.alpha&&(f.globalAlpha=dt=c.alpha);let y=o==2?[0,t[p][0].length-1]:Dc(t[p]);c._paths=c.paths(r,p,y[0],y[1]),dt!=g&&
(f.globalAlpha=dt=g)}}),v.forEach((c,p)=>{if(p>0&&c.show){let g=dt;dt!=c.alpha&&(f.globalAlpha=dt=c.alpha),c._paths!=null&&ci(p,!1);{let y=c._paths!=null?c._paths.
gaps:null,w=c.points.show(r,p,Ve,Ke,y),x=c.points.filter(r,p,w,y);(w||x)&&(c.points._paths=c.points.paths(r,p,Ve,Ke,x),ci(p,!0))}dt!=g&&(f.globalAlpha=dt=g),Ze(
"drawSeries",p)}}),i&&(f.globalAlpha=dt=1)}}function ui(i,c){let p=c?v[i].points:v[i];p._stroke=p.stroke(r,i),p._fill=p.fill(r,i)}function ci(i,c){let p=c?v[i].
points:v[i],{stroke:g,fill:y,clip:w,flags:x,_stroke:S=p._stroke,_fill:P=p._fill,_width:A=p.width}=p._paths;A=ye(A*de,3);let q=null,F=A%2/2;c&&P==null&&(P=A>0?"#\
fff":S);let K=p.pxAlign==1&&F>0;if(K&&f.translate(F,F),!c){let ue=pt-A/2,ie=Tt-A/2,ee=ct+A,j=qt+A;q=new Path2D,q.rect(ue,ie,ee,j)}c?vs(S,A,p.dash,p.cap,P,g,y,x,
w):Ac(i,S,A,p.dash,p.cap,P,g,y,x,q,w),K&&f.translate(-F,-F)}function Ac(i,c,p,g,y,w,x,S,P,A,q){let F=!1;P!=0&&Y.forEach((K,ue)=>{if(K.series[0]==i){let ie=v[K.series[1]],
ee=t[K.series[1]],j=(ie._paths||uo).band;vn(j)&&(j=K.dir==1?j[0]:j[1]);let G,Te=null;ie.show&&j&&Gf(ee,Ve,Ke)?(Te=K.fill(r,ue)||w,G=ie._paths.clip):j=null,vs(c,
p,g,y,Te,x,S,P,A,q,G,j),F=!0}}),F||vs(c,p,g,y,w,x,S,P,A,q)}let di=kr|Sl;function vs(i,c,p,g,y,w,x,S,P,A,q,F){li(i,c,p,g,y),(P||A||F)&&(f.save(),P&&f.clip(P),A&&
f.clip(A)),F?(S&di)==di?(f.clip(F),q&&f.clip(q),wo(y,x),yo(i,w,c)):S&Sl?(wo(y,x),f.clip(F),yo(i,w,c)):S&kr&&(f.save(),f.clip(F),q&&f.clip(q),wo(y,x),f.restore(),
yo(i,w,c)):(wo(y,x),yo(i,w,c)),(P||A||F)&&f.restore()}function yo(i,c,p){p>0&&(c instanceof Map?c.forEach((g,y)=>{f.strokeStyle=bo=y,f.stroke(g)}):c!=null&&i&&f.
stroke(c))}function wo(i,c){c instanceof Map?c.forEach((p,g)=>{f.fillStyle=nr=g,f.fill(p)}):c!=null&&i&&f.fill(c)}function Lc(i,c,p,g){let y=R[i],w;if(g<=0)w=[0,
0];else{let x=y._space=y.space(r,i,c,p,g),S=y._incrs=y.incrs(r,i,c,p,g,x);w=lm(c,p,S,g,x)}return y._found=w}function xs(i,c,p,g,y,w,x,S,P,A){let q=x%2/2;M==1&&f.
translate(q,q),li(S,x,P,A,S),f.beginPath();let F,K,ue,ie,ee=y+(g==0||g==3?-w:w);p==0?(K=y,ie=ee):(F=y,ue=ee);for(let j=0;j<i.length;j++)c[j]!=null&&(p==0?F=ue=i[j]:
K=ie=i[j],f.moveTo(F,K),f.lineTo(ue,ie));f.stroke(),M==1&&f.translate(-q,-q)}function qc(i){let c=!0;return R.forEach((p,g)=>{if(!p.show)return;let y=T[p.scale];
if(y.min==null){p._show&&(c=!1,p._show=!1,rr(!1));return}else p._show||(c=!1,p._show=!0,rr(!1));let w=p.side,x=w%2,{min:S,max:P}=y,[A,q]=Lc(g,S,P,x==0?Q:O);if(q==
0)return;let F=y.distr==2,K=p._splits=p.splits(r,g,S,P,A,q,F),ue=y.distr==2?K.map(G=>Ot[G]):K,ie=y.distr==2?Ot[K[1]]-Ot[K[0]]:A,ee=p._values=p.values(r,p.filter(
r,ue,g,q,ie),g,q,ie);p._rotate=w==2?p.rotate(r,ee,g,q):0;let j=p._size;p._size=At(p.size(r,ee,g,i)),j!=null&&p._size!=j&&(c=!1)}),c}function Oc(i){let c=!0;return oi.
forEach((p,g)=>{let y=p(r,g,Mn,i);y!=un[g]&&(c=!1),un[g]=y}),c}function $c(){for(let i=0;i<R.length;i++){let c=R[i];if(!c.show||!c._show)continue;let p=c.side,g=p%
2,y,w,x=c.stroke(r,i),S=p==0||p==3?-1:1,[P,A]=c._found;if(c.label!=null){let st=c.labelGap*S,ht=Ie((c._lpos+st)*de);ii(c.labelFont[0],x,"center",p==2?"top":La),
f.save(),g==1?(y=w=0,f.translate(ht,Ie(Tt+qt/2)),f.rotate((p==3?-Bo:Bo)/2)):(y=Ie(pt+ct/2),w=ht);let An=xu(c.label)?c.label(r,i,P,A):c.label;f.fillText(An,y,w),
f.restore()}if(A==0)continue;let q=T[c.scale],F=g==0?ct:qt,K=g==0?pt:Tt,ue=c._splits,ie=q.distr==2?ue.map(st=>Ot[st]):ue,ee=q.distr==2?Ot[ue[1]]-Ot[ue[0]]:P,j=c.
ticks,G=c.border,Te=j.show?j.size:0,Re=Ie(Te*de),Qe=Ie((c.alignTo==2?c._size-Te-c.gap:c.gap)*de),he=c._rotate*-Bo/180,Ae=E(c._pos*de),mt=(Re+Qe)*S,ot=Ae+mt;w=g==
0?ot:0,y=g==1?ot:0;let Pt=c.font[0],$t=c.align==1?_r:c.align==2?dl:he>0?_r:he<0?dl:g==0?"center":p==3?dl:_r,Bt=he||g==1?"middle":p==2?"top":La;ii(Pt,x,$t,Bt);let gt=c.
font[1]*c.lineGap,Ct=ue.map(st=>E(u(st,q,F,K))),Ft=c._values;for(let st=0;st<Ft.length;st++){let ht=Ft[st];if(ht!=null){g==0?y=Ct[st]:w=Ct[st],ht=""+ht;let An=ht.
indexOf(`
`)==-1?[ht]:ht.split(/\n/gm);for(let lt=0;lt<An.length;lt++){let Di=An[lt];he?(f.save(),f.translate(y,w+lt*gt),f.rotate(he),f.fillText(Di,0,0),f.restore()):f.fillText(
Di,y,w+lt*gt)}}}j.show&&xs(Ct,j.filter(r,ie,i,A,ee),g,p,Ae,Re,ye(j.width*de,3),j.stroke(r,i),j.dash,j.cap);let Yt=c.grid;Yt.show&&xs(Ct,Yt.filter(r,ie,i,A,ee),g,
g==0?2:1,g==0?Tt:pt,g==0?qt:ct,ye(Yt.width*de,3),Yt.stroke(r,i),Yt.dash,Yt.cap),G.show&&xs([Ae],[1],g==0?1:0,g==0?1:2,g==1?Tt:pt,g==1?qt:ct,ye(G.width*de,3),G.stroke(
r,i),G.dash,G.cap)}Ze("drawAxes")}function rr(i){v.forEach((c,p)=>{p>0&&(c._paths=null,i&&(o==1?(c.min=null,c.max=null):c.facets.forEach(g=>{g.min=null,g.max=null})))})}
let vo=!1,ks=!1,Lr=[];function Fc(){ks=!1;for(let i=0;i<Lr.length;i++)Ze(...Lr[i]);Lr.length=0}function or(){vo||(Xf(fi),vo=!0)}function zc(i,c=!1){vo=!0,ks=c,i(
r),fi(),c&&Lr.length>0&&queueMicrotask(Fc)}r.batch=zc;function fi(){if(cs&&(Mc(),cs=!1),Qn&&(xc(),Qn=!1),go){if(Se(_,_r,we),Se(_,"top",Ge),Se(_,so,Q),Se(_,lo,O),
Se(k,_r,we),Se(k,"top",Ge),Se(k,so,Q),Se(k,lo,O),Se(b,so,nn),Se(b,lo,Tn),h.width=Ie(nn*de),h.height=Ie(Tn*de),R.forEach(({_el:i,_show:c,_size:p,_pos:g,side:y})=>{
if(i!=null)if(c){let w=y===3||y===0?p:0,x=y%2==1;Se(i,x?"left":"top",g-w),Se(i,x?"width":"height",p),Se(i,x?"top":"left",x?Ge:we),Se(i,x?"height":"width",x?O:Q),
wl(i,In)}else wt(i,In)}),bo=nr=ps=gs=hs=_s=bs=ys=ms=null,dt=1,$r(!0),we!=Zn||Ge!=Sn||Q!=Wt||O!=En){rr(!1);let i=Q/Wt,c=O/En;if(nt&&!Pn&&z.left>=0){z.left*=i,z.top*=
c,sr&&Xt(sr,Ie(z.left),0,Q,O),lr&&Xt(lr,0,Ie(z.top),Q,O);for(let p=0;p<Et.length;p++){let g=Et[p];g!=null&&(er[p]*=i,tr[p]*=c,Xt(g,At(er[p]),At(tr[p]),Q,O))}}if(ke.
show&&!ho&&ke.left>=0&&ke.width>0){ke.left*=i,ke.width*=i,ke.top*=c,ke.height*=c;for(let p in Ms)Se(ur,p,ke[p])}Zn=we,Sn=Ge,Wt=Q,En=O}Ze("setSize"),go=!1}nn>0&&
Tn>0&&(f.clearRect(0,0,h.width,h.height),Ze("drawClear"),I.forEach(i=>i()),Ze("draw")),ke.show&&ho&&(xo(ke),ho=!1),nt&&Pn&&(Rn(null,!0,!1),Pn=!1),X.show&&X.live&&
St&&(Ps(),St=!1),d||(d=!0,r.status=1,Ze("ready")),Ar=!1,vo=!1}r.redraw=(i,c)=>{Qn=c||!1,i!==!1?dn($,C.min,C.max):or()};function Ts(i,c){let p=T[i];if(p.from==null){
if(Xe==0){let g=p.range(r,c.min,c.max,i);c.min=g[0],c.max=g[1]}if(c.min>c.max){let g=c.min;c.min=c.max,c.max=g}if(Xe>1&&c.min!=null&&c.max!=null&&c.max-c.min<1e-16)
return;i==$&&p.distr==2&&Xe>0&&(c.min=Ht(c.min,t[0]),c.max=Ht(c.max,t[0]),c.min==c.max&&c.max++),H[i]=c,cs=!0,or()}}r.setScale=Ts;let Ss,Es,sr,lr,pi,mi,ir,ar,gi,
hi,xe,Ce,cn=!1,et=z.drag,Be=et.x,Ye=et.y;nt&&(z.x&&(Ss=Rt(kf,k)),z.y&&(Es=Rt(Tf,k)),C.ori==0?(sr=Ss,lr=Es):(sr=Es,lr=Ss),xe=z.left,Ce=z.top);let ke=r.select=Fe(
{show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),ur=ke.show?Rt(xf,ke.over?k:_):null;function xo(i,c){if(ke.show){for(let p in i)ke[p]=i[p],p in Ms&&Se(
ur,p,i[p]);c!==!1&&Ze("setSelect")}}r.setSelect=xo;function Gc(i){if(v[i].show)ze&&wl(De[i],In);else if(ze&&wt(De[i],In),nt){let p=Xn?Et[0]:Et[i];p!=null&&Xt(p,
-10,-10,Q,O)}}function dn(i,c,p){Ts(i,{min:c,max:p})}function Vt(i,c,p,g){c.focus!=null&&Wc(i),c.show!=null&&v.forEach((y,w)=>{w>0&&(i==w||i==null)&&(y.show=c.show,
Gc(w),o==2?(dn(y.facets[0].scale,null,null),dn(y.facets[1].scale,null,null)):dn(y.scale,null,null),or())}),p!==!1&&Ze("setSeries",i,c),g&&Fr("setSeries",r,i,c)}
r.setSeries=Vt;function Uc(i,c){Fe(Y[i],c)}function Hc(i,c){i.fill=re(i.fill||null),i.dir=ae(i.dir,-1),c=c??Y.length,Y.splice(c,0,i)}function Nc(i){i==null?Y.length=
0:Y.splice(i,1)}r.addBand=Hc,r.setBand=Uc,r.delBand=Nc;function Ic(i,c){v[i].alpha=c,nt&&Et[i]!=null&&(Et[i].style.opacity=c),ze&&De[i]&&(De[i].style.opacity=c)}
let rn,fn,Dn,cr={focus:!0};function Wc(i){if(i!=Dn){let c=i==null,p=jt.alpha!=1;v.forEach((g,y)=>{if(o==1||y>0){let w=c||y==0||y==i;g._focus=c?null:w,p&&Ic(y,w?
1:jt.alpha)}}),Dn=i,p&&or()}}ze&&Jn&&rt(Fa,fe,i=>{z._lock||(Cn(i),Dn!=null&&Vt(null,cr,!0,qe.setSeries))});function Kt(i,c,p){let g=T[c];p&&(i=i/de-(g.ori==1?Ge:
we));let y=Q;g.ori==1&&(y=O,i=y-i),g.dir==-1&&(i=y-i);let w=g._min,x=g._max,S=i/y,P=w+(x-w)*S,A=g.distr;return A==3?wr(10,P):A==4?Hf(P,g.asinh):A==100?g.bwd(P):
P}function jc(i,c){let p=Kt(i,$,c);return Ht(p,t[0],Ve,Ke)}r.valToIdx=i=>Ht(i,t[0]),r.posToIdx=jc,r.posToVal=Kt,r.valToPos=(i,c,p)=>T[c].ori==0?l(i,T[c],p?ct:Q,
p?pt:0):a(i,T[c],p?qt:O,p?Tt:0),r.setCursor=(i,c,p)=>{xe=i.left,Ce=i.top,Rn(null,c,p)};function _i(i,c){Se(ur,_r,ke.left=i),Se(ur,so,ke.width=c)}function bi(i,c){
Se(ur,"top",ke.top=i),Se(ur,lo,ke.height=c)}let qr=C.ori==0?_i:bi,Or=C.ori==1?_i:bi;function Vc(){if(ze&&X.live)for(let i=o==2?1:0;i<v.length;i++){if(i==0&&kt)continue;
let c=X.values[i],p=0;for(let g in c)It[i][p++].firstChild.nodeValue=c[g]}}function Ps(i,c){if(i!=null&&(i.idxs?i.idxs.forEach((p,g)=>{ge[g]=p}):jf(i.idx)||ge.fill(
i.idx),X.idx=ge[0]),ze&&X.live){for(let p=0;p<v.length;p++)(p>0||o==1&&!kt)&&Kc(p,ge[p]);Vc()}St=!1,c!==!1&&Ze("setLegend")}r.setLegend=Ps;function Kc(i,c){let p=v[i],
g=i==0&&W==2?Ot:t[i],y;kt?y=p.values(r,i,c)??an:(y=p.value(r,c==null?null:g[c],i,c),y=y==null?an:{_:y}),X.values[i]=y}function Rn(i,c,p){gi=xe,hi=Ce,[xe,Ce]=z.move(
r,xe,Ce),z.left=xe,z.top=Ce,nt&&(sr&&Xt(sr,Ie(xe),0,Q,O),lr&&Xt(lr,0,Ie(Ce),Q,O));let g,y=Ve>Ke;rn=be,fn=null;let w=C.ori==0?Q:O,x=C.ori==1?Q:O;if(xe<0||Xe==0||
y){g=z.idx=null;for(let S=0;S<v.length;S++){let P=Et[S];P!=null&&Xt(P,-10,-10,Q,O)}Jn&&Vt(null,cr,!0,i==null&&qe.setSeries),X.live&&(ge.fill(g),St=!0)}else{let S,
P,A;o==1&&(S=C.ori==0?xe:Ce,P=Kt(S,$),g=z.idx=Ht(P,t[0],Ve,Ke),A=L(t[0][g],C,w,0));let q=-10,F=-10,K=0,ue=0,ie=!0,ee="",j="";for(let G=o==2?1:0;G<v.length;G++){
let Te=v[G],Re=ge[G],Qe=Re==null?null:o==1?t[G][Re]:t[G][1][Re],he=z.dataIdx(r,G,g,P),Ae=he==null?null:o==1?t[G][he]:t[G][1][he];if(St=St||Ae!=Qe||he!=Re,ge[G]=
he,G>0&&Te.show){let mt=he==null?-10:he==g?A:L(o==1?t[0][he]:t[G][0][he],C,w,0),ot=Ae==null?-10:V(Ae,o==1?T[Te.scale]:T[Te.facets[1].scale],x,0);if(Jn&&Ae!=null){
let Pt=C.ori==1?xe:Ce,$t=We(jt.dist(r,G,he,ot,Pt));if($t<rn){let Bt=jt.bias;if(Bt!=0){let gt=Kt(Pt,Te.scale),Ct=Ae>=0?1:-1,Ft=gt>=0?1:-1;Ft==Ct&&(Ft==1?Bt==1?Ae>=
gt:Ae<=gt:Bt==1?Ae<=gt:Ae>=gt)&&(rn=$t,fn=G)}else rn=$t,fn=G}}if(St||Xn){let Pt,$t;C.ori==0?(Pt=mt,$t=ot):(Pt=ot,$t=mt);let Bt,gt,Ct,Ft,Yt,st,ht=!0,An=tt.bbox;if(An!=
null){ht=!1;let lt=An(r,G);Ct=lt.left,Ft=lt.top,Bt=lt.width,gt=lt.height}else Ct=Pt,Ft=$t,Bt=gt=tt.size(r,G);if(st=tt.fill(r,G),Yt=tt.stroke(r,G),Xn)G==fn&&rn<=
jt.prox&&(q=Ct,F=Ft,K=Bt,ue=gt,ie=ht,ee=st,j=Yt);else{let lt=Et[G];lt!=null&&(er[G]=Ct,tr[G]=Ft,Wa(lt,Bt,gt,ht),Na(lt,st,Yt),Xt(lt,At(Ct),At(Ft),Q,O))}}}}if(Xn){
let G=jt.prox,Te=Dn==null?rn<=G:rn>G||fn!=Dn;if(St||Te){let Re=Et[0];Re!=null&&(er[0]=q,tr[0]=F,Wa(Re,K,ue,ie),Na(Re,ee,j),Xt(Re,At(q),At(F),Q,O))}}}if(ke.show&&
cn)if(i!=null){let[S,P]=qe.scales,[A,q]=qe.match,[F,K]=i.cursor.sync.scales,ue=i.cursor.drag;if(Be=ue._x,Ye=ue._y,Be||Ye){let{left:ie,top:ee,width:j,height:G}=i.
select,Te=i.scales[F].ori,Re=i.posToVal,Qe,he,Ae,mt,ot,Pt=S!=null&&A(S,F),$t=P!=null&&q(P,K);Pt&&Be?(Te==0?(Qe=ie,he=j):(Qe=ee,he=G),Ae=T[S],mt=L(Re(Qe,F),Ae,w,
0),ot=L(Re(Qe+he,F),Ae,w,0),qr(Nt(mt,ot),We(ot-mt))):qr(0,w),$t&&Ye?(Te==1?(Qe=ie,he=j):(Qe=ee,he=G),Ae=T[P],mt=V(Re(Qe,K),Ae,x,0),ot=V(Re(Qe+he,K),Ae,x,0),Or(Nt(
mt,ot),We(ot-mt))):Or(0,x)}else Ds()}else{let S=We(gi-pi),P=We(hi-mi);if(C.ori==1){let K=S;S=P,P=K}Be=et.x&&S>=et.dist,Ye=et.y&&P>=et.dist;let A=et.uni;A!=null?
Be&&Ye&&(Be=S>=A,Ye=P>=A,!Be&&!Ye&&(P>S?Ye=!0:Be=!0)):et.x&&et.y&&(Be||Ye)&&(Be=Ye=!0);let q,F;Be&&(C.ori==0?(q=ir,F=xe):(q=ar,F=Ce),qr(Nt(q,F),We(F-q)),Ye||Or(
0,x)),Ye&&(C.ori==1?(q=ir,F=xe):(q=ar,F=Ce),Or(Nt(q,F),We(F-q)),Be||qr(0,w)),!Be&&!Ye&&(qr(0,0),Or(0,0))}if(et._x=Be,et._y=Ye,i==null){if(p){if(Mi!=null){let[S,
P]=qe.scales;qe.values[0]=S!=null?Kt(C.ori==0?xe:Ce,S):null,qe.values[1]=P!=null?Kt(C.ori==1?xe:Ce,P):null}Fr(fl,r,xe,Ce,Q,O,g)}if(Jn){let S=p&&qe.setSeries,P=jt.
prox;Dn==null?rn<=P&&Vt(fn,cr,!0,S):rn>P?Vt(null,cr,!0,S):fn!=Dn&&Vt(fn,cr,!0,S)}}St&&(X.idx=g,Ps()),c!==!1&&Ze("setCursor")}let pn=null;Object.defineProperty(r,
"rect",{get(){return pn==null&&$r(!1),pn}});function $r(i=!1){i?pn=null:(pn=k.getBoundingClientRect(),Ze("syncRect",pn))}function yi(i,c,p,g,y,w,x){z._lock||cn&&
i!=null&&i.movementX==0&&i.movementY==0||(Cs(i,c,p,g,y,w,x,!1,i!=null),i!=null?Rn(null,!0,!0):Rn(c,!0,!1))}function Cs(i,c,p,g,y,w,x,S,P){if(pn==null&&$r(!1),Cn(
i),i!=null)p=i.clientX-pn.left,g=i.clientY-pn.top;else{if(p<0||g<0){xe=-10,Ce=-10;return}let[A,q]=qe.scales,F=c.cursor.sync,[K,ue]=F.values,[ie,ee]=F.scales,[j,
G]=qe.match,Te=c.axes[0].side%2==1,Re=C.ori==0?Q:O,Qe=C.ori==1?Q:O,he=Te?w:y,Ae=Te?y:w,mt=Te?g:p,ot=Te?p:g;if(ie!=null?p=j(A,ie)?u(K,T[A],Re,0):-10:p=Re*(mt/he),
ee!=null?g=G(q,ee)?u(ue,T[q],Qe,0):-10:g=Qe*(ot/Ae),C.ori==1){let Pt=p;p=g,g=Pt}}P&&(c==null||c.cursor.event.type==fl)&&((p<=1||p>=Q-1)&&(p=Hn(p,Q)),(g<=1||g>=O-
1)&&(g=Hn(g,O))),S?(pi=p,mi=g,[ir,ar]=z.move(r,p,g)):(xe=p,Ce=g)}let Ms={width:0,height:0,left:0,top:0};function Ds(){xo(Ms,!1)}let wi,vi,xi,ki;function Ti(i,c,p,g,y,w,x){
cn=!0,Be=Ye=et._x=et._y=!1,Cs(i,c,p,g,y,w,x,!0,!1),i!=null&&(rt(pl,bl,Si,!1),Fr(Oa,r,ir,ar,Q,O,null));let{left:S,top:P,width:A,height:q}=ke;wi=S,vi=P,xi=A,ki=q}
function Si(i,c,p,g,y,w,x){cn=et._x=et._y=!1,Cs(i,c,p,g,y,w,x,!1,!0);let{left:S,top:P,width:A,height:q}=ke,F=A>0||q>0,K=wi!=S||vi!=P||xi!=A||ki!=q;if(F&&K&&xo(ke),
et.setScale&&F&&K){let ue=S,ie=A,ee=P,j=q;if(C.ori==1&&(ue=P,ie=q,ee=S,j=A),Be&&dn($,Kt(ue,$),Kt(ue+ie,$)),Ye)for(let G in T){let Te=T[G];G!=$&&Te.from==null&&Te.
min!=be&&dn(G,Kt(ee+j,G),Kt(ee,G))}Ds()}else z.lock&&(z._lock=!z._lock,Rn(c,!0,i!=null));i!=null&&(Yn(pl,bl),Fr(pl,r,xe,Ce,Q,O,null))}function Bc(i,c,p,g,y,w,x){
if(z._lock)return;Cn(i);let S=cn;if(cn){let P=!0,A=!0,q=10,F,K;C.ori==0?(F=Be,K=Ye):(F=Ye,K=Be),F&&K&&(P=xe<=q||xe>=Q-q,A=Ce<=q||Ce>=O-q),F&&P&&(xe=xe<ir?0:Q),K&&
A&&(Ce=Ce<ar?0:O),Rn(null,!0,!0),cn=!1}xe=-10,Ce=-10,ge.fill(null),Rn(null,!0,!0),S&&(cn=S)}function Ei(i,c,p,g,y,w,x){z._lock||(Cn(i),fs(),Ds(),i!=null&&Fr(za,
r,xe,Ce,Q,O,null))}function Pi(){R.forEach(im),ds(r.width,r.height,!0)}Wn(Yo,yr,Pi);let dr={};dr.mousedown=Ti,dr.mousemove=yi,dr.mouseup=Si,dr.dblclick=Ei,dr.setSeries=
(i,c,p,g)=>{let y=qe.match[2];p=y(r,c,p),p!=-1&&Vt(p,g,!0,!1)},nt&&(rt(Oa,k,Ti),rt(fl,k,yi),rt($a,k,i=>{Cn(i),$r(!1)}),rt(Fa,k,Bc),rt(za,k,Ei),El.add(r),r.syncRect=
$r);let ko=r.hooks=e.hooks||{};function Ze(i,c,p){ks?Lr.push([i,c,p]):i in ko&&ko[i].forEach(g=>{g.call(null,r,c,p)})}(e.plugins||[]).forEach(i=>{for(let c in i.
hooks)ko[c]=(ko[c]||[]).concat(i.hooks[c])});let Ci=(i,c,p)=>p,qe=Fe({key:null,setSeries:!1,filters:{pub:Ya,sub:Ya},scales:[$,v[1]?v[1].scale:null],match:[Za,Za,
Ci],values:[null,null]},z.sync);qe.match.length==2&&qe.match.push(Ci),z.sync=qe;let Mi=qe.key,Rs=Vu(Mi);function Fr(i,c,p,g,y,w,x){qe.filters.pub(i,c,p,g,y,w,x)&&
Rs.pub(i,c,p,g,y,w,x)}Rs.sub(r);function Yc(i,c,p,g,y,w,x){qe.filters.sub(i,c,p,g,y,w,x)&&dr[i](null,c,p,g,y,w,x)}r.pub=Yc;function Zc(){Rs.unsub(r),El.delete(r),
kn.clear(),vl(Yo,yr,Pi),m.remove(),fe?.remove(),Ze("destroy")}r.destroy=Zc;function As(){Ze("init",e,t),si(t||e.data,!1),H[$]?Ts($,H[$]):fs(),ho=ke.show&&(ke.width>
0||ke.height>0),Pn=St=!0,ds(e.width,e.height)}return v.forEach(ri),R.forEach(Cc),n?n instanceof HTMLElement?(n.appendChild(m),As()):n(r,As):As(),r}je.assign=Fe;
je.fmtNum=Ll;je.rangeNum=Zo;je.rangeLog=Xo;je.rangeAsinh=Rl;je.orient=Vn;je.pxRatio=de;je.join=Jf;je.fmtDate=Ol,je.tzDate=up;je.sync=Vu;{je.addGap=jp,je.clipGaps=
ns;let e=je.paths={points:Ju};e.linear=ec,e.stepped=Bp,e.bars=Yp,e.spline=Qp}var am=200,sc="12px system-ui, sans-serif";function lc(e,t){return new je(cm(t),um(t),e)}function um(e){let t=e.xs.map(o=>o.getTime()/1e3);if(e.kind==="lines")return[
t,...e.series.map(o=>o.values)];let n=t.map(()=>0),r=e.series.map(o=>o.values.map((l,a)=>n[a]=(n[a]??0)+(l??0)));return[t,...r.map((o,l)=>o.map((a,u)=>e.series[l]?.
values[u]?a:null)).toReversed()]}function cm(e){let t=e.kind==="bars"?e.slots.toReversed():e.slots;return{width:Math.max(e.width,100),height:am,padding:[8,20,0,
0],legend:{show:!1},cursor:{y:!1,points:{show:e.kind==="lines"},drag:{x:!0,y:!1,setScale:!1,uni:8}},tzDate:n=>je.tzDate(new Date(n*1e3),e.zone),scales:{x:{time:!0,
range:(n,r,o)=>dm(e,r,o)},y:{range:(n,r,o)=>[0,o>0?o*1.06:1]}},axes:fm(e),series:[{},...t.map(n=>e.kind==="bars"?hm(e,n):gm(hr(`var(--series-${n})`)))],hooks:{setSelect:[
n=>_m(n,e)],setCursor:[n=>bm(n,e)]}}}function dm(e,t,n){return e.kind==="lines"&&e.xs.length>1?[t,n]:[t,Math.max(n+Nl(e),t+1)]}function Nl(e){let[t,n]=e.xs;return t&&
n?(n.getTime()-t.getTime())/1e3:e.grain==="hour"?3600:e.grain==="day"?86400:30*86400}function fm(e){let[t,n]=[hr("var(--muted)"),hr("var(--hairline)")],r={stroke:t,
font:sc,ticks:{show:!1}},o=e.axis??e.format;return[{...r,size:24,gap:6,grid:{show:!1},space:64,values:(l,a)=>mm(a,e)},{...r,gap:8,size:(l,a)=>pm(l,a),grid:{stroke:n,
width:1},space:40,values:(l,a)=>a.map(u=>u===0?"0":o(u))}]}function pm(e,t){e.ctx.save(),e.ctx.font=sc;let n=Math.max(0,...(t??[]).map(r=>e.ctx.measureText(r).width));
return e.ctx.restore(),Math.ceil(n)+16}function mm(e,t){let n=(e[1]??0)-(e[0]??0),r=(l,a)=>new Date(a*1e3).toLocaleString("en-GB",{timeZone:t.zone,hourCycle:"h2\
3",...l}),o=l=>r({day:"numeric",month:"short"},l);return n>=28*86400?e.map(l=>r({month:"short",year:"numeric"},l)):n>=86400?e.map(o):e.map(l=>{let a=r({hour:"2-\
digit",minute:"2-digit"},l);return a==="00:00"?o(l):a})}function gm(e){return{stroke:e,width:1.5,points:{show:!1},spanGaps:!1}}function Il({xs:e,until:t,grain:n},r){
let o=e[r];return o!==void 0&&o.getTime()+Nl({xs:e,grain:n})*1e3>t.getTime()}function hm(e,t){let[n,r]=[hr(`var(--series-${t})`),hr(`color-mix(in srgb, var(--se\
ries-${t}) 35%, var(--panel))`)],o=e.xs.map((l,a)=>Il(e,a)?r:n);return{fill:n,width:0,points:{show:!1},paths:je.paths.bars?.({align:1,size:[.8,48],disp:{fill:{unit:3,
values:()=>o}}})}}function _m(e,t){if(e.select.width<8)return;let n=r=>new Date(e.posToVal(r,"x")*1e3);t.onZoom(oc(n(e.select.left),t),oc(n(e.select.left+e.select.
width),t,!0)),e.setSelect({left:0,top:0,width:0,height:0},!1)}function oc(e,t,n=!1){let r=t.xs.findLastIndex(l=>l<=e);r<0&&(r=0);let o=t.xs[r]??e;return n?t.xs[r+
1]??new Date(o.getTime()+Nl(t)*1e3):o}function bm(e,t){let{left:n}=e.cursor;if(n===void 0||n<0)return t.onPoint(null);let r=t.kind==="bars"?t.xs.findLastIndex(o=>o.
getTime()/1e3<=e.posToVal(n,"x")):e.cursor.idx??-1;t.onPoint(r<0?null:{index:r,left:n+e.bbox.left/devicePixelRatio+8})}function po(e){let[t,n]=B(!1),{zone:r}=ne();return s("section",{class:"panel","aria-label":e.title,children:[s("header",{children:[s("h2",{children:e.title}),s(
"span",{class:"muted small",children:r}),s("div",{class:"rest",children:[e.tools,s("button",{class:"quiet","aria-pressed":t,onClick:()=>n(!t),children:t?"Plot":
"Table"})]})]}),e.note,t?s(ym,{...e,zone:r}):s(wm,{...e,zone:r})]})}function fo(e,{grain:t,zone:n}){return t==="hour"?`${Fo(e,n)} ${bn(e,n)}`:t==="day"?Fo(e,n):
e.toLocaleDateString("en-GB",{timeZone:n,month:"short",year:"numeric"})}function ym(e){let t=[{key:"at",title:e.grain==="hour"?"Hour":e.grain==="day"?"Day":"Mon\
th",cell:n=>fo(e.xs[n]??new Date,e),sort:n=>n}];for(let n of e.series)t.push({key:n.name,title:n.label??n.name,num:!0,cell:r=>ic(n.values[r],e),sort:r=>n.values[r]??
-1});return s(yt,{label:e.title+", as a table",columns:t,rows:e.xs.map((n,r)=>r),id:String,sorted:"-at"})}function ic(e,{format:t}){return e==null?"–":t(e)}function wm(e){
let{series:t,onPick:n}=e,r=Ao(()=>Ca(t.map(o=>o.name)).map((o,l)=>t[l]?.slot??o),[t]);return s(te,{children:[s("div",{class:"legend",children:t.map((o,l)=>n&&o.
name!==gr?s("button",{title:`Only ${o.label??o.name}`,type:"button",onClick:()=>n?.(o.name),children:[s(Wl,{slot:r[l]??8}),o.label??o.name]},o.name):s("span",{children:[
s(Wl,{slot:r[l]??8}),o.label??o.name]},o.name))}),s(vm,{...e,slots:r})]})}function Wl({slot:e}){return s("i",{style:{background:`var(--series-${e})`}})}function vm(e){
let t=zt(null),[n,r]=B(null),[o,l]=B(0);return ve(()=>{let a=()=>l(u=>u+1);return ro.addEventListener("scheme",a),()=>ro.removeEventListener("scheme",a)},[]),ve(
()=>{let a=t.current;if(!a)return;let u={...e,width:a.clientWidth-16,onPoint:r,onZoom:xm},d=lc(a,u),m=new ResizeObserver(()=>d.setSize({width:a.clientWidth-16,height:d.
height}));return m.observe(a),()=>{m.disconnect(),d.destroy()}},[e.xs,e.series,e.kind,e.zone,o]),s("div",{class:"plot",ref:t,role:"img","aria-label":Tm(e),children:n&&
s(km,{...e,...n})})}function xm(e,t){_e({since:e.toISOString().replace(/\.\d+/,""),until:t.toISOString().replace(/\.\d+/,"")})}function km(e){let{series:t,slots:n,
index:r,left:o,xs:l,kind:a}=e,u=t.map((f,b)=>({one:f,slot:n[b]??8,value:f.values[r]??null})).filter(({value:f})=>f!==null&&(a==="lines"||f!==0)),d=l[r];if(!d)return null;
let m=u.reduce((f,{value:b})=>f+(b??0),0),h=o>320;return s("div",{class:"tip","aria-hidden":"true",style:h?{right:`calc(100% - ${o-12}px)`}:{left:`${o+12}px`},children:[
s("div",{children:[s("strong",{children:fo(d,e)}),a==="bars"&&s("b",{children:e.format(m)})]}),u.map(({one:f,slot:b,value:_})=>s("div",{children:[s(Wl,{slot:b}),
f.label??f.name,s("b",{children:ic(_,e)})]},f.name)),Il(e,r)&&s("div",{class:"muted",children:"not over yet"})]})}function Tm(e){let{title:t,xs:n,series:r,kind:o}=e,
[l,a]=[n[0],n[n.length-1]];if(!l||!a)return`${t}: nothing`;let u=n.map((m,h)=>o==="bars"?r.reduce((f,b)=>f+(b.values[h]??0),0):Math.max(0,...r.map(f=>f.values[h]??
0))),d=u.indexOf(Math.max(...u));return`${t}, ${fo(l,e)} to ${fo(a,e)}, highest ${e.format(u[d]??0)} on ${fo(n[d]??a,e)}`}function ac({children:e}){return s("dl",{class:"panel tiles",children:e})}function Pr({label:e,figure:t,hint:n,tone:r="",children:o}){return s("div",{class:"til\
e",children:[s("dt",{children:e}),s("dd",{class:`figure ${r}`,title:n,children:t}),s("dd",{class:"note",children:o})]})}function uc(){let{params:e}=Je(),t={period:Gt(e),team:e.get("team")??""},n=ce("GET /admin/v1/usage",{query:{by:"model",...Cr(t)}});return s(Jt,{title:"Overview",
period:!0,team:!0,of:n,children:[s(Sm,{about:t,totals:n}),s(Cm,{}),s(Rm,{about:t,by:e.get("by")??"model"}),t.team===""&&s(Lm,{about:t}),s(qm,{about:t})]})}function Cr({
period:e,team:t}){return{since:e.since,...e.until&&{until:e.until},...t&&{team:t}}}function en(e,t){return e.reduce((n,r)=>n+t(r),0)}function Sm({about:e,totals:t}){
let{zone:n}=ne(),r=ce("GET /admin/v1/usage",{query:{by:"model",...Cr({...e,period:zo(e.period,n)})}}),o=ce("GET /admin/v1/latency",{query:{by:"all",...Cr({...e,
team:""})}}),l=ce("GET /admin/v1/requests",{query:{limit:100,...e.team&&{team:e.team}}}),a=r.data?en(r.data.data,u=>u.cost_nanodollars):0;return s("section",{"a\
ria-label":"Figures",children:s(it,{of:t,children:({data:u})=>{let d=en(u,_=>_.cost_nanodollars),m=en(u,_=>_.input_tokens+_.output_tokens),h=en(u,_=>_.attempts),
f=o.data?.data[0],b=Em((l.data?.data??[]).map(_=>_.own_us));return s(ac,{children:[s(Pr,{label:"Cost",figure:$e(d),hint:Ue(d),children:Nr(d,a)?`${Nr(d,a)} on th\
e span before`:"nothing in the span before"}),s(Pr,{label:"Requests",figure:se(en(u,_=>_.requests)),children:e.team?Ne(h,"call"):`${Mt(f?.failed??0,f?.calls??0)}\
 of ${Ne(f?.calls??0,"call")} failed`}),s(Pr,{label:"Tokens",figure:zn(m),hint:se(m),children:[Mt(en(u,_=>_.cache_read_tokens),en(u,_=>_.input_tokens))," of pro\
mpts from caches"]}),s(Pr,{label:"First token, p95",figure:He(f?.first.p95_us??null),children:b===null?"no requests yet":`Weir’s own part ${He(b)}`}),s(Pm,{rows:u})]})}})})}
function Em(e){let t=e.toSorted((n,r)=>n-r);return t[Math.floor(t.length/2)]??null}function Pm({rows:e}){let[t,n,r]=[en(e,l=>l.orphaned),en(e,l=>l.in_doubt),en(
e,l=>l.estimated)],o=t+n;return s(Pr,{label:"Ledger",figure:o===0?"Complete":Ne(o,"open row"),tone:o===0?"":"warn",children:[Ne(r,"estimated row"),o>0&&`, ${se(
t)} orphaned, ${se(n)} in doubt`]})}function Cm(){let{zone:e}=ne(),t=ce("GET /admin/v1/models",{}),n=new Map((t.data?.data??[]).flatMap(Mm));return n.size===0?null:
s("section",{class:"stack","aria-label":"Troubles",children:[...n].map(([r,o])=>s("div",{class:"panel alert",children:[s("span",{class:"mono",children:r}),s("sp\
an",{class:"warn",children:["breaker ",o.breaker,o.open_until?` until ${bn(new Date(o.open_until),e)}`:""]}),s("a",{href:Me("/providers"),children:"Providers"})]},
r))})}function Mm(e){return e.targets.flatMap(({target:t,health:n})=>n&&n.breaker!=="closed"?[[t,n]]:[])}var Dm=["model","team","key","provider"];function Rm({about:e,
by:t}){let{zone:n}=ne(),r=Yr(e.period,n),o={query:{by:`${t},${r}`,...Cr(e)}},l=ce("GET /admin/v1/usage",o),a=s(te,{children:[s(Go,{label:"Divide by",value:t,options:Dm.
map(u=>({value:u,label:u})),onChange:u=>_e({by:u==="model"?null:u})}),s(_t,{list:!0,route:"GET /admin/v1/usage",asked:o,command:`weir usage --by ${t},${r} --sin\
ce ${e.period.since}`})]});return s(it,{of:l,children:({data:u,since:d,until:m})=>{let h=to(new Date(d),new Date(m),r,n),f=Io({rows:u,xs:h,zone:n,group:b=>Un(b,
t),value:b=>b.cost_nanodollars});return s(po,{title:`Cost per ${r}, by ${t}`,kind:"bars",grain:r,xs:h,until:new Date,series:f,format:$e,axis:Oo,tools:a,onPick:b=>_e(
Am(t,b))})}})}function Am(e,t){return e==="team"?{team:t}:{[e]:t}}function Lm({about:e}){let{zone:t}=ne(),n=Yr(e.period,t)==="hour"?"hour":"day",r={query:{by:n,
...Cr({...e,team:""})}},o=ce("GET /admin/v1/latency",r);return s(it,{of:o,children:({data:l,since:a,until:u})=>{let d=to(new Date(a),new Date(u),n,t);return s(po,
{title:`Time of calls per ${n}`,kind:"lines",grain:n,xs:d,until:new Date,series:Ma(l,d,"took"),format:He,axis:ma,tools:s(_t,{list:!0,route:"GET /admin/v1/latenc\
y",asked:r})})}})}function qm({about:e}){let{zone:t}=ne(),n={query:{by:"key",top:50,...Cr(e)}},r=ce("GET /admin/v1/usage",n);return s("section",{class:"panel","\
aria-label":"Keys by cost",children:[s("header",{children:[s("h2",{children:"Keys by cost"}),s("span",{class:"muted small",children:wn(e.period,t)}),s("div",{class:"\
rest",children:s(_t,{list:!0,route:"GET /admin/v1/usage",asked:n,command:`weir usage --by key --top 50 --since ${e.period.since}`})})]}),s(it,{of:r,isEmpty:({data:o})=>o.
length===0,empty:s(jl,{}),children:({data:o})=>s(yt,{label:"Keys by cost",columns:Om(o),rows:o,id:l=>l.key??"",sorted:"-cost"})})]})}function Om(e){let t=Math.max(
0,...e.map(n=>n.cost_nanodollars));return[{key:"key",title:"Key",cell:n=>s("a",{href:Me("/requests",{key:n.key??""}),children:n.name||n.key}),sort:n=>n.name||n.
key||""},{key:"cost",title:"Cost",num:!0,cell:n=>s("span",{title:Ue(n.cost_nanodollars),children:$e(n.cost_nanodollars)}),sort:n=>n.cost_nanodollars},{key:"shar\
e",title:"Share",cell:n=>s(on,{part:n.cost_nanodollars,whole:t})},{key:"requests",title:"Requests",num:!0,cell:n=>se(n.requests),sort:n=>n.requests},{key:"input",
title:"Tokens in",num:!0,cell:n=>se(n.input_tokens),sort:n=>n.input_tokens},{key:"output",title:"Tokens out",num:!0,cell:n=>se(n.output_tokens),sort:n=>n.output_tokens},
{key:"cached",title:"From caches",num:!0,cell:n=>Mt(n.cache_read_tokens,n.input_tokens),sort:n=>n.input_tokens?n.cache_read_tokens/n.input_tokens:0}]}function jl(){
return s(te,{children:[s("strong",{children:"No request in this span"}),s("span",{children:"Make a key and call a model with it:"}),s("pre",{class:"code",children:`\
weir keys create my-app
curl http://127.0.0.1:8930/v1/chat/completions -H 'Authorization: Bearer sk-weir-…' -H 'Content-Type: application/json' \\
  -d '{"model": "smart", "messages": [{"role": "user", "content": "Hello"}]}'`})]})}var cc={rows:null,next:null,searched:null,loading:!0,error:null};function dc(e,t){let n=JSON.stringify(t),[r,o]=B(cc),l=zt(null),a=fr((u,d)=>{l.current?.abort();
let{signal:m}=l.current=new AbortController;o(f=>({...f,loading:!0,error:null}));let h={...JSON.parse(n),...u!==null&&{cursor:u}};js("GET",pr(e,{query:h}),void 0,
m).then(f=>o($m(d,f))).catch(f=>{m.aborted||o(b=>({...b,loading:!1,error:Fn(f)}))})},[e,n]);return ve(()=>(o(cc),a(null,[]),()=>l.current?.abort()),[a]),{...r,more:()=>a(
r.next,r.rows??[])}}function $m(e,t){return{rows:[...e,...t.data],next:t.next,searched:t.searched_until?new Date(t.searched_until):null,loading:!1,error:null}}function fc(e){return[{key:"started",title:"Time",cell:t=>s(Vl,{at:t.started,zone:e}),sort:t=>t.started},{key:"key",title:"Key",cell:t=>t.key_name||t.key,sort:t=>t.
key_name},{key:"model",title:"Model",cell:t=>t.model,sort:t=>t.model},{key:"target",title:"Target",cell:t=>s(Bl,{...t}),sort:t=>`${t.provider}/${t.upstream}`},{
key:"status",title:"Status",cell:t=>s(ls,{status:t.status,outcome:t.outcome,attempts:t.attempts}),sort:t=>t.status+t.outcome},{key:"took",title:"Took",num:!0,cell:t=>He(
t.took_us),sort:t=>t.took_us},{key:"first",title:"First token",num:!0,cell:t=>He(t.first_us),sort:t=>t.first_us??-1},{key:"tokens",title:"Tokens",num:!0,cell:t=>`${t.
estimated?"~ ":""}${se(t.input_tokens)} → ${se(t.output_tokens)}`,sort:t=>t.input_tokens+t.output_tokens,hint:"In and out. ~: Weir counted them, the provider \
did not say"},{key:"cost",title:"Cost",num:!0,cell:t=>s(Kl,{nanodollars:t.cost_nanodollars}),sort:t=>t.cost_nanodollars}]}function Vl({at:e,zone:t}){let n=new Date(
e);return s("time",{dateTime:e,title:mr(n),children:ba(n,t)})}function Kl({nanodollars:e}){return s("span",{title:Ue(e),children:$e(e,4)})}function Bl({provider:e,
upstream:t}){return s("span",{class:"mono",children:[e,"/",t]})}function ls({status:e,outcome:t,attempts:n=1}){let r=e==="ok"?"good":e==="failed"?"bad":"warn",o=e===
"ok"||t===e||t==="ok"?e:t.replaceAll("_"," ");return s("span",{children:[s("span",{class:r,children:o}),n>1&&s("span",{class:"muted",children:[" ",n," tries"]})]})}function pc({id:e,onClose:t}){let n={path:{request:e}},r=ce("GET /admin/v1/requests/{request}",n);return s(eo,{aside:!0,title:"Request",onClose:t,children:[s("d\
iv",{class:"row",children:[s("span",{class:"mono",children:e}),s(Zt,{text:e,label:"Copy id"}),s(_t,{route:"GET /admin/v1/requests/{request}",asked:n,command:`we\
ir requests ${Dt(e)}`})]}),s(it,{of:r,children:o=>s(Fm,{request:o})})]})}function Fm({request:e}){let t=e.trail.filter(r=>r.adjusts===null),n=e.trail.filter(r=>r.
adjusts!==null);return s("div",{class:"stack",children:[s(zm,{request:e}),s("section",{class:"stack","aria-label":"Calls",children:[s("h3",{children:[Ne(t.length,
"call")," in ",Ne(e.attempts,"attempt")]}),t.map(r=>s(Gm,{call:r,request:e},r.seq))]}),n.length>0&&s(Im,{calls:n}),s(Wm,{request:e})]})}function zm({request:e}){
let{zone:t}=ne(),n=[["Status",s(ls,{status:e.status,outcome:e.outcome,attempts:e.attempts})],["Began",s(Vl,{at:e.started,zone:t})],["Key",s("a",{href:Me("/reque\
sts",{key:e.key}),children:e.key_name||e.key})],["Model",s("a",{href:Me("/requests",{model:e.model}),children:e.model})],["Took",He(e.took_us)+(e.first_us===null?
"":`, first token after ${He(e.first_us)}`)],["Weir’s own part",He(e.own_us)],["Tokens",`${se(e.input_tokens)} in, ${se(e.output_tokens)} out${e.estimated?", \
counted by Weir in part":""}`],["Cost",Ue(e.cost_nanodollars)]];return e.client_id!==null&&n.push(["Caller’s id",s("span",{class:"mono",children:e.client_id})]),
e.tags.length>0&&n.push(["Tags",e.tags.join(", ")]),e.flags.length>0&&n.push(["Flags",e.flags.map(is).join(", ")]),s("dl",{class:"pairs",children:n.map(([r,o])=>[
s("dt",{children:r}),s("dd",{children:o})])})}function is(e){return e.replaceAll("_"," ")}function Gm({call:e,request:t}){let n=(new Date(e.started).getTime()-new Date(
t.started).getTime())*1e3;return s("div",{class:"panel",children:[s("header",{children:[s("span",{class:"muted",children:e.try}),s(Bl,{...e}),s("div",{class:"re\
st wide",children:[s(ls,{status:e.outcome==="ok"?"ok":"failed",outcome:e.outcome}),s(Kl,{nanodollars:e.cost_nanodollars})]})]}),s("div",{class:"body stack",children:[
s(Hm,{after:n,call:e,whole:t.took_us}),s("p",{class:"small muted",children:[e.call>0&&`after ${He(n)}, `,"took ",He(e.took_us),e.first_us!==null&&`, first token\
 ${He(e.first_us)}`,e.status!==null&&`, HTTP ${e.status}`,e.flags.length>0&&`, ${e.flags.map(is).join(", ")}`,`, tokens ${Um[e.source]}`]}),s(Nm,{call:e}),e.upstream_id!==
null&&s("p",{class:"small",children:[s("span",{class:"muted",children:"The provider calls it "}),s("span",{class:"mono",children:e.upstream_id}),s(Zt,{text:e.upstream_id})]})]})]})}
var Um={provider:"as the provider reports",counted:"counted by Weir",reserved:"unknown: what was held is charged"};function Hm({after:e,call:t,whole:n}){let r=u=>n>
0?Math.min(Math.max(u,0),n)/n*400:0,[o,l]=[r(e),r(e+t.took_us)],a=t.first_us===null?l:r(e+t.first_us);return s("svg",{class:"strip",viewBox:"0 0 400 8",preserveAspectRatio:"\
none","aria-hidden":"true",children:[s("rect",{width:"400",height:"8",class:"rail"}),s("rect",{x:o,width:Math.max(a-o,1),height:"8",class:t.outcome==="ok"?"wait":
"failed"}),s("rect",{x:a,width:Math.max(l-a,0),height:"8",class:"flow"})]})}function Nm({call:e}){if(e.charges===null){let n=e.cost_source==="unpriced"?"No pric\
e is known for this target.":e.cost_source==="provider"?"The provider says what it costs.":"";return n===""?null:s("p",{class:"small muted",children:n})}if(e.charges.
length===0)return null;let t=[{key:"class",title:"Class",cell:n=>is(n.class)},{key:"units",title:"Units",num:!0,cell:n=>se(n.units)},{key:"price",title:"Each mi\
llion",num:!0,cell:n=>n.class==="search"||n.class==="request"?"":Ue(n.price*1e3)},{key:"cost",title:"Cost",num:!0,cell:n=>Ue(n.units*n.price/1e3),sum:Ue(e.listed_nanodollars)}];
return s(te,{children:[s(yt,{label:`What the call to ${e.provider} cost`,columns:t,rows:e.charges,id:n=>n.class}),e.price!==null&&s("p",{class:"small muted",children:[
"by the price ",s("span",{class:"mono",children:e.price})]})]})}function Im({calls:e}){let{zone:t}=ne();return s("section",{class:"stack","aria-label":"Correcti\
ons",children:[s("h3",{children:"Corrections"}),e.map(n=>s("p",{children:[_n(new Date(n.started),t),": ",Ue(n.cost_nanodollars),", ",n.reason]},n.seq))]})}function Wm({
request:e}){let[t,n]=B(!1),r={query:{model:e.model,key:e.key}},o=ce("GET /admin/v1/explain",t?r:null);return s("section",{class:"stack","aria-label":"Explained \
again",children:[s("div",{class:"row",children:[s("h3",{children:"What would it meet now?"}),s("button",{onClick:()=>t?o.reload():n(!0),children:"Explain again \
now"}),s(Zt,{text:`weir explain ${Dt(e.model)} --key ${Dt(e.key_name||e.key)}`,label:"Copy command"})]}),t&&s(it,{of:o,children:l=>s(jm,{explanation:l})})]})}function jm({
explanation:e}){let t=e.plans.flatMap(r=>r.targets.map(o=>({...o,route:r.route}))),n=[{key:"turn",title:"Turn",num:!0,cell:r=>r.turn??"–"},{key:"target",title:"\
Target",cell:r=>s("span",{class:"mono",children:r.target})},{key:"model",title:"For",cell:r=>r.route},{key:"skip",title:"Note",wrap:!0,cell:r=>r.skip===null?r.breaker===
"closed"?"":s("span",{class:"warn",children:["breaker ",r.breaker]}):s("span",{class:"warn",children:["skipped: ",r.barred??is(r.skip)]})}];return s(te,{children:[
e.refused!==null&&s("p",{class:"bad",children:["It would be refused: ",e.refused]}),s(yt,{label:"Targets in the order of trying",columns:n,rows:t,id:r=>r.route+
r.target})]})}var Yl=[["key","key"],["team","team"],["model","model"],["provider","provider"],["target","target"],["status","status"],["outcome","outcome"],["flag","flag"],["\
tag","tag"],["min_took","slower"]];function mc(){let{params:e}=Je(),t=e.get("request"),n=Gt(e),r=Vm(e,{since:n.since,...n.until&&{until:n.until}});return s(Jt,{
title:"Requests",period:!0,team:!0,children:[s(Bm,{}),s(Zm,{query:r,opened:t}),t!==null&&s(pc,{id:t,onClose:()=>_e({request:null})},t)]})}function Vm(e,t){let n={
...t};for(let[o]of Yl){let l=e.get(o);l&&(n[o]=l)}let r=Number(e.get("dearer"));return r>0&&(n.min_cost_nanodollars=Math.round(r*1e9)),n}function Km(e){let t=Yl.
filter(([n])=>e[n]!==void 0).map(([n,r])=>`--${r} ${Dt(String(e[n]))}`);e.min_cost_nanodollars&&t.push(`--dearer ${Number(e.min_cost_nanodollars)/1e9}`);for(let n of[
"since","until"])e[n]&&t.push(`--${n} ${e[n]}`);return["weir requests",...t].join(" ")}function Bm(){let{params:e}=Je(),{models:t,providers:n}=ne(),r=ce("GET /a\
dmin/v1/keys",{query:{limit:1e3}}),o=[...Yl.map(([_])=>_),"dearer"].filter(_=>_!=="team"),[l,a]=B({}),[u,d]=B("");ve(()=>{a(Object.fromEntries(o.map(_=>[_,e.get(
_)??""]))),d("")},[e.toString()]);let m=o.some(_=>e.get(_)),h=_=>k=>a({...l,[_]:k}),f=(_={})=>_e({...l,..._,...u.trim()&&{request:u.trim()}}),b=(_,k,M,E={})=>s(
bt,{label:k,value:l[_]??"",onInput:h(_),size:M,...E});return s("form",{class:"filters many",onSubmit:_=>{_.preventDefault(),f()},onChange:_=>_.target instanceof
HTMLInputElement&&f(),children:[b("key","Key",12,{list:(r.data?.data??[]).map(_=>_.name)}),b("model","Model",10,{list:t}),b("provider","Provider",10,{list:n}),s(
Qt,{label:"Status",value:l.status??"",options:["","ok","failed","canceled"].map(_=>({value:_,label:_||"any"})),onChange:_=>f({status:_})}),b("outcome","Outcome",
10,{list:Ym}),b("min_took","Slower than",7,{placeholder:"10s"}),b("dearer","Dearer than, $",7,{placeholder:"0.05"}),b("tag","Tag",10,{placeholder:"name=value"}),
s(bt,{label:"Id",value:u,onInput:d,size:12,placeholder:"req_…"}),s("button",{class:"unseen",type:"submit",children:"Find"}),m&&s("button",{type:"button",class:"\
quiet",onClick:()=>_e(Object.fromEntries(o.map(_=>[_,null]))),children:"Clear"})]})}var Ym=["ok","unreachable","timeout","failed","malformed","overloaded","rate\
_limited","credential","denied","misconfigured","model_not_found","too_long","refused","moderated","canceled","lost","budget"];function Zm({query:e,opened:t}){let{
zone:n}=ne(),r=dc("GET /admin/v1/requests",e),{rows:o,loading:l,error:a,searched:u,next:d}=r;return s("section",{class:"panel","aria-label":"Requests found",children:[
s("header",{children:[s("h2",{children:o===null?"Requests":`${Ne(o.length,"request")}${d===null?"":" so far"}`}),s("span",{class:"muted small",children:n}),s("d\
iv",{class:"rest",children:s(_t,{list:!0,route:"GET /admin/v1/requests",asked:{query:{...e,limit:1e3}},command:Km(e)})})]}),s(Uo,{shown:l}),o!==null&&o.length>0&&
s(yt,{label:"Requests",columns:fc(n),rows:o,id:m=>m.request,selected:t,onOpen:m=>_e({request:m.request})}),a&&s(Jr,{error:a,retry:r.more}),o!==null&&!a&&s("div",
{class:"state small",children:[o.length===0&&d===null&&s("strong",{children:"No request is like this"}),s("div",{class:"row",children:[s("span",{children:u?`Sea\
rched back to ${_n(u,n)}.`:"That is all there is in this period."}),d!==null&&s("button",{disabled:l,onClick:r.more,children:"Search further back"})]})]})]})}var Jl=[{name:"cost",title:"Cost",of:e=>e.cost_nanodollars,format:$e,axis:Oo},{name:"requests",title:"Requests",of:e=>e.requests,format:se,axis:zn},{name:"token\
s",title:"Tokens",of:e=>e.input_tokens+e.output_tokens,format:se,axis:zn},{name:"calls",title:"Calls",of:e=>e.attempts,format:se,axis:zn}],as=["model","team","k\
ey","provider","tag"],Zl=500;function gc(){let{zone:e}=ne(),t=Qm(Je().params,e),n={query:{by:[t.by,t.then].filter(Boolean).join(","),...ei(t)}},r=ce("GET /admin\
/v1/usage",n);return s(Jt,{title:"Usage",period:!0,team:!0,of:r,children:[s(Jm,{question:t}),s(Xm,{question:t}),s("section",{class:"panel","aria-label":"Sums",children:[
s("header",{children:[s("h2",{children:[t.metric.title," by ",t.by,t.then&&` and ${t.then}`]}),s("span",{class:"muted small",children:wn(t.period,e)}),s("div",{
class:"rest",children:s(_t,{list:!0,route:"GET /admin/v1/usage",asked:n,command:hc(n.query)})})]}),s(it,{of:r,isEmpty:({data:o})=>o.length===0,empty:s(jl,{}),children:({
data:o})=>s(eg,{rows:o,question:t})})]})]})}function Qm(e,t){let n=Gt(e),r=as.find(d=>d===e.get("by"))??"model",o=as.find(d=>d===e.get("then")&&d!==r)??"",l=Yr(
n,t),a=["hour","day","month"].find(d=>d===e.get("grain"))??(r==="tag"&&l==="hour"?"day":l),u={};for(let d of["key","team","model"]){let m=e.get(d);m&&(u[d]=m)}return{
by:r,then:o,grain:a,period:n,filters:u,metric:Jl.find(d=>d.name===e.get("metric"))??Jl[0],compare:e.get("compare")!==null,classes:e.get("classes")!==null}}function ei({
period:e,filters:t}){return{since:e.since,...e.until&&{until:e.until},...t}}function hc(e){return["weir usage",...Object.entries(e).map(([t,n])=>`--${t} ${Dt(n)}`)].
join(" ")}function Ql(e){return e.map(t=>({value:t,label:t||"–"}))}function Jm({question:e}){let{by:t,then:n,metric:r,grain:o,filters:l}=e,a=["",...as].filter(
u=>u!==t&&(t!=="tag"||u===""||u==="key")&&(u!=="tag"||t==="key"));return s("div",{class:"filters",children:[s(Qt,{label:"Group by",value:t,options:Ql(as),onChange:u=>_e(
{by:u,then:null})}),s(Qt,{label:"then by",value:n,options:Ql(a),onChange:u=>_e({then:u})}),s(Qt,{label:"Figure",value:r.name,options:Jl.map(u=>({value:u.name,label:u.
title})),onChange:u=>_e({metric:u==="cost"?null:u})}),s(Qt,{label:"Per",value:o,options:Ql(t==="tag"?["day","month"]:["hour","day","month"]),onChange:u=>_e({grain:u})}),
s(nl,{label:"Compare with the span before",checked:e.compare,onChange:u=>_e({compare:u?"1":null})}),s(nl,{label:"Classes of tokens",checked:e.classes,onChange:u=>_e(
{classes:u?"1":null})}),["key","model"].map(u=>l[u]!==void 0&&s("button",{type:"button",onClick:()=>_e({[u]:null}),title:"Take this filter out",children:[u,": ",
l[u]," ✕"]},u))]})}function Xm({question:e}){let{zone:t}=ne(),{by:n,grain:r,metric:o}=e,l={query:{by:`${n},${r}`,...ei(e)}},a=ce("GET /admin/v1/usage",l);return s(
it,{of:a,children:({data:u,since:d,until:m})=>{let h=to(new Date(d),new Date(m),r,t),f=Io({rows:u,xs:h,zone:t,group:b=>Un(b,n),value:o.of});return s(po,{title:`${o.
title} per ${r}, by ${n}`,kind:"bars",grain:r,xs:h,until:new Date,series:f,format:o.format,axis:o.axis,tools:s(_t,{list:!0,route:"GET /admin/v1/usage",asked:l,command:hc(
l.query)}),..._c(n)&&{onPick:b=>_e({[n]:b})}})}})}function _c(e){return e==="key"||e==="team"||e==="model"}function eg({rows:e,question:t}){let{zone:n}=ne(),{by:r,
then:o,period:l,compare:a,metric:u}=t,d=ce("GET /admin/v1/usage",a?{query:{by:[r,o].filter(Boolean).join(","),...ei({...t,period:zo(l,n)})}}:null),m=a?new Map((d.
data?.data??[]).map(f=>[Xl(f,t),f])):null,h=e.toSorted((f,b)=>u.of(b)-u.of(f)).slice(0,Zl);return s(te,{children:[s(yt,{label:"Sums",columns:tg(t,e,m),rows:h,id:f=>Xl(
f,t),sorted:`-${u.name}`},`${r}.${o}.${u.name}`),e.length>Zl&&s("p",{class:"state small",children:["The first ",se(Zl)," of ",Ne(e.length,"line"),". The CSV has\
 all."]})]})}function Xl(e,{by:t,then:n}){return JSON.stringify([t,n].map(r=>r===""?"":e[r]))}function tg(e,t,n){let{by:r,then:o,metric:l,classes:a}=e,u=f=>t.reduce(
(b,_)=>b+f(_),0),d=Math.max(0,...t.map(l.of)),m=(f,b,_)=>({key:f,title:b,num:!0,cell:k=>se(_(k)),sort:_,sum:se(u(_))}),h=[r,o].filter(Boolean).map((f,b)=>ng(f,b===
0));return h.push({key:"cost",title:"Cost",num:!0,cell:f=>s("span",{title:Ue(f.cost_nanodollars),children:[f.estimated>0&&"~ ",$e(f.cost_nanodollars)]}),sort:f=>f.
cost_nanodollars,sum:s("span",{title:Ue(u(f=>f.cost_nanodollars)),children:[u(f=>f.estimated)>0&&"~ ",$e(u(f=>f.cost_nanodollars))]}),hint:"~: of some calls Wei\
r counted the tokens"},{key:"share",title:"Share",cell:f=>s(on,{part:l.of(f),whole:d})}),n&&h.push(og(e,n)),h.push(m("requests","Requests",f=>f.requests),m("cal\
ls","Calls",f=>f.attempts),m("tokens","Tokens",f=>f.input_tokens+f.output_tokens)),a?h.push(m("fresh","Fresh",f=>f.input_tokens-f.cache_read_tokens-f.cache_write_tokens),
m("read","From caches",f=>f.cache_read_tokens),m("write","Into caches",f=>f.cache_write_tokens),m("output","Output",f=>f.output_tokens),m("reasoning","of it rea\
soning",f=>f.reasoning_tokens)):h.push({key:"cached",title:"From caches",num:!0,cell:f=>Mt(f.cache_read_tokens,f.input_tokens),sort:f=>f.input_tokens?f.cache_read_tokens/
f.input_tokens:0,sum:Mt(u(f=>f.cache_read_tokens),u(f=>f.input_tokens))}),h}function ng(e,t){let n=e[0].toUpperCase()+e.slice(1);return{key:e,title:n,cell:r=>s(
"a",{href:rg(r,e),children:Un(r,e)}),sort:r=>Un(r,e),...t&&{sum:"All"}}}function rg(e,t){let n=t==="key"?e.key??"":t==="team"?e.team??"":Un(e,t);return _c(t)&&n!==
""?Wr({[t]:n}):Me("/requests",{[t]:n})}function og({metric:e,...t},n){let r=o=>{let l=n.get(Xl(o,{metric:e,...t}));return l?e.of(l):0};return{key:"before",title:"\
Span before",num:!0,cell:o=>s("span",{title:Nr(e.of(o),r(o)),children:e.format(r(o))}),sort:r,sum:e.format([...n.values()].reduce((o,l)=>o+e.of(l),0))}}var Mr=[{path:"/",title:"Overview",group:"",page:uc},{path:"/usage",title:"Usage",group:"",page:gc},{path:"/requests",title:"Requests",group:"",page:mc},{path:"\
/models",title:"Models",group:"Serve",page:Ea},{path:"/explain",title:"Explain",group:"Serve",page:ka}];var sg=12;function bc(){let[e,t]=B(""),[n,r]=B(!1),[o,l]=B(0),a=zt(null),u=lg(e.trim(),n);ig(a);let d=f=>{f&&(r(!1),t(""),a.current?.blur(),$o(f.href))},m=f=>{if(f.
key==="ArrowDown")l(Math.min(o+1,u.length-1));else if(f.key==="ArrowUp")l(Math.max(o-1,0));else if(f.key==="Enter")d(u[o]);else if(f.key==="Escape")r(!1);else return;
f.preventDefault()},h=n&&u.length>0;return s("div",{class:"search",role:"search",children:[s("input",{ref:a,role:"combobox","aria-label":"Search keys, models, r\
equest ids","aria-expanded":h,"aria-controls":"hits","aria-autocomplete":"list","aria-activedescendant":h?`hit-${o}`:void 0,placeholder:"Search  /",autocomplete:"\
off",spellcheck:!1,value:e,onInput:f=>{t(f.currentTarget.value),r(!0),l(0)},onFocus:()=>r(!0),onBlur:()=>r(!1),onKeyDown:m}),s("ul",{id:"hits",role:"listbox","a\
ria-label":"Found",hidden:!h,children:u.map((f,b)=>s("li",{id:`hit-${b}`,role:"option","aria-selected":b===o,onMouseDown:_=>{_.preventDefault(),d(f)},children:[
s("span",{children:f.name}),s("span",{class:"muted small",children:f.kind})]},f.href))})]})}function lg(e,t){let{models:n}=ne(),r=ce("GET /admin/v1/keys",t?{query:{
limit:1e3}}:null);if(e==="")return[];if(/^req_/.test(e))return[{kind:"request",name:e,href:Me("/requests",{request:e})}];let o=a=>a.toLowerCase().includes(e.toLowerCase()),
l=n.filter(o).map(a=>({kind:"model",name:a,href:Me("/requests",{model:a})}));for(let a of r.data?.data??[])(o(a.name)||a.id===e)&&l.push({kind:"key",name:a.name,
href:Me("/requests",{key:a.id})});return l.slice(0,sg)}function ig(e){ve(()=>{let t=n=>{let r=n.target instanceof HTMLElement&&n.target.matches("input, textarea\
, select");n.key!=="/"||r||n.ctrlKey||n.metaKey||n.altKey||(n.preventDefault(),e.current?.focus())};return addEventListener("keydown",t),()=>removeEventListener(
"keydown",t)},[])}function us(){return s("svg",{viewBox:"0 0 16 16",width:"20",height:"20","aria-hidden":"true",children:[s("rect",{width:"16",height:"16",rx:"3",fill:"var(--acce\
nt)"}),s("path",{d:"M3 5l2.500 6L8 5.500l2.500 5.500L13 5",fill:"none",stroke:"var(--panel)","stroke-width":"1.6","stroke-linejoin":"round","stroke-linecap":"ro\
und"})]})}function yc({onLeave:e}){let{path:t}=Je(),[n,r]=B(!1);ve(()=>r(!1),[t]);let o=Mr.find(a=>a.path===t),l=()=>{ia().finally(e)};return s(te,{children:[s(
"a",{class:"skip",href:"#page",children:"To the page"}),s("div",{class:"shell",children:[s("header",{class:"bar",children:[s("a",{class:"brand",href:Me("/"),children:[
s(us,{}),"Weir"]}),s("button",{class:"rest","aria-expanded":n,onClick:()=>r(!n),children:"Menu"})]}),s(ug,{shown:n,path:t}),s("div",{class:"content",children:[s(
ag,{onLeave:l}),s("main",{id:"page",tabIndex:-1,children:o?s(o.page,{}):s(dg,{})})]})]})]})}function ag({onLeave:e}){let{session:t,zone:n}=ne();return t.expires===
null?null:s("div",{class:"banner",role:"region","aria-label":"Session",children:[s("span",{children:["Signed in with the admin token, until ",bn(new Date(t.expires),
n),"."]}),s("button",{class:"quiet",onClick:e,children:"Sign out"})]})}function ug({shown:e,path:t}){let n=[...new Set(Mr.map(r=>r.group))];return s("aside",{class:e?
"side shown":"side","aria-label":"Console",children:[s("a",{class:"brand",href:Me("/"),children:[s(us,{}),"Weir"]}),s(bc,{}),s("nav",{"aria-label":"Pages",children:n.
map(r=>s("div",{children:[r!==""&&s("p",{children:r}),Mr.filter(o=>o.group===r).map(o=>s("a",{href:Me(o.path),"aria-current":o.path===t?"page":void 0,children:o.
title},o.path))]},r))}),s("div",{class:"foot",children:s(cg,{})})]})}function cg(){let[e,t]=B(Wo),n=r=>{let o=Da.find(l=>l===r)??"system";Ra(o),t(o)};return ve(
()=>no(e),[]),s(Go,{label:"Colour scheme",value:e,options:[{value:"light",label:"Light"},{value:"dark",label:"Dark"},{value:"system",label:"System"}],onChange:n})}
function dg(){return s(te,{children:[s("h1",{children:"There is no such page"}),s("p",{children:s("a",{href:Me("/"),children:"Overview"})})]})}function wc({onSession:e}){let[t,n]=B(""),[r,o]=B(!1),[l,a]=B(null);return ve(()=>{document.title="Sign in · Weir"},[]),s("main",{class:"login",children:[s("h1",
{class:"row",children:[s(us,{}),"Weir"]}),s("form",{onSubmit:d=>{d.preventDefault(),o(!0),la(t.trim()).then(e,m=>a(Fn(m))).finally(()=>o(!1))},children:[s(bt,{label:"\
Admin token",type:"password",value:t,onInput:n,required:!0,autofocus:!0,wrong:l?.message??null,hint:"It is admin.token in the config, else in the file admin.tok\
en of the data folder."}),s("div",{class:"row",children:s("button",{class:"primary",disabled:r||t.trim()==="",children:"Sign in"})})]})]})}function fg(){let[e,t]=B({is:"asking"}),n=fr(r=>{r.then(pg).then(o=>t({is:"in",known:o}),o=>{let l=Fn(o);t(l.status===401?{is:"out"}:{is:"failed",error:l})})},[]);
switch(ve(()=>{let r=()=>t({is:"out"});return qo.addEventListener("ended",r),n(Bs()),()=>qo.removeEventListener("ended",r)},[]),e.is){case"asking":return null;case"\
out":return s(wc,{onSession:r=>n(Promise.resolve(r))});case"failed":return s("main",{class:"login",children:s(Jr,{error:e.error,retry:()=>n(Bs())})});case"in":return s(
Ks.Provider,{value:e.known,children:s(yc,{onLeave:()=>t({is:"out"})})})}}async function pg(e){let t=await hn("GET /admin/v1/config");return{session:e,zone:t.timezone,
models:t.models,providers:t.providers}}no(Wo());ga(Mr.map(e=>e.path));Ii(s(fg,{}),document.body);
