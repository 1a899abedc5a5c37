var ce,Wi,ec,Zt,or,Qo,qi,jo,Gi,ir,lr,Bi,po=Symbol.for("pv"),Xo={},el=[],tc=/^m(i|n|o|s|text|space)$/,sr=Array.isArray,Ki=el.slice,mn=Object.assign;function dn(e){
e&&e.parentNode&&e.remove()}function Yo(e,t,n,o,l){var i={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:po,__v:l||++Wi,__i:-1,__u:0};return!l&&ce.vnode&&ce.
vnode(i),i}function Pe(e){return e.children}function Zo(e,t){this.props=e,this.context=t,this.__g=0}function Jt(e,t){if(t==null)return e.__&&Jt(e.__,e.__i+1);for(var n;t<e.
__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Jt(e)}function nc(e){var t,n=e.__v,o=n.__e,l=[],i=[],s=e.__P;
s&&((t=mn({constructor:po},n)).__v=n.__v+1,ce.vnode&&ce.vnode(t),ar(s,t,n,e.__n,s.namespaceURI,32&n.__u?[o]:null,l,o||Jt(n),32&n.__u,i),t.__v=n.__v,t.__.__k[t.__i]=
t,Xi(l,t,i),n.__=n.__e=null,t.__e!=o&&ji(t))}function ji(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),
ji(e)}function rr(e){(8&e.__g||(e.__g|=8,Zt.push(e),Qo++))&&or==ce.debounceRendering||((or=ce.debounceRendering)||queueMicrotask)(Yi)}function Yi(){try{for(var e,
t=1;Zt.length;)Zt.length>t&&Zt.sort(qi),e=Zt.shift(),t=Zt.length,8&e.__g&&nc(e)}finally{(Qo=Zt.length)&&(or||queueMicrotask)(Yi)}}function Zi(e,t,n,o,l,i,s,u,f,m,g){
var h,b,x,k,P,E,M=o.__k||el,w=t.length;for(f=oc(n,t,M,f,w),h=0;h<w;h++)(x=n.__k[h])!=null&&(b=~x.__i&&M[x.__i]||Xo,x.__i=h,E=ar(e,x,b,l,i,s,u,f,m,g),k=x.__e,(b.
ref!=x.ref||8&b.__u)&&(b.ref&&ur(b.ref,null,x,b),x.ref&&g.push(x.ref,x.__c||k,x)),P=P||k,4&x.__u?(f=Ji(x,f,e,!b.__v),b.__e&&(b.__e=null)):typeof x.type=="functi\
on"&&E!==void 0?f=E:k&&(f=k.nextSibling),x.__u&=-21);return n.__e=P,f}function oc(e,t,n,o,l){var i,s,u,f,m,g,h,b,x,k=n.length,P=k,E=0,M=0,w=e.__k=Array(l);for(i=
0;i<l;i++)(s=t[i])!=null&&typeof s!="boolean"&&typeof s!="function"?(typeof s!="object"||s.constructor===String?s=w[i]=Yo(null,s):sr(s)?s=w[i]=Yo(Pe,{children:s}):
s.constructor===po&&s.__b?s=w[i]=Yo(s.type,s.props,s.key,s.ref,s.__v):w[i]=s,f=i+E,s.__=e,s.__b=e.__b+1,u=null,~(m=s.__i=lc(s,n,f,P))&&(P--,(u=n[m])&&(u.__u|=2)),
u&&u.__v?(s.__u|=16,m==f-1?E--:m==f+1?E++:m!=f&&(m>f?E--:E++,M=1)):(~m||(l>k?E--:l<k&&E++),typeof s.type!="function"&&(s.__u|=4))):w[i]=null;if(M){for(g=[],h=[],
i=0;i<l;i++)if((s=w[i])&&16&s.__u){for(E=0,b=g.length;E<b;)g[x=E+b>>1]<s.__i?E=x+1:b=x;g[E]=s.__i,h[i]=E+1}for(E=g.length;i--;)h[i]&&(h[i]==E?E--:w[i].__u|=4)}if(P)
for(i=0;i<k;i++)!(u=n[i])||2&u.__u||(u.__e==o&&(o=Jt(u)),cr(u,u));return o}function Ji(e,t,n,o){var l,i,s,u;if(typeof e.type=="function"){if(e.props.__P)return t;
if(l=e.__k)for(i=0;i<l.length;i++)l[i]&&(l[i].__=e,t=Ji(l[i],t,n,!1));return t}for(t&&!t.parentNode&&(t=Jt(e))&&!t.parentNode&&(t=null),s=e.__e,u=t;u&&u.nodeType==
8;)u=u.nextSibling;for(s!=u&&(!o&&n.moveBefore&&s.parentNode?n.moveBefore(s,t):n.insertBefore(s,t||null)),t=s;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith(
"$s"););return t}function lc(e,t,n,o){var l,i=e.key,s=e.type,u=t[n],f=u&&!(2&u.__u);if(u===null&&i==null||f&&i==u.key&&s==u.type)return n;if(o>(f?1:0)){for(l=n-1;l>=0;l--)if((u=
t[l])&&!(2&u.__u)&&i==u.key&&s==u.type)return l;for(l=n+1;l<t.length;l++)if((u=t[l])&&!(2&u.__u)&&i==u.key&&s==u.type)return l}return-1}function Ui(e,t,n){n==null&&
(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Ko(e,t,n,o,l){var i,s;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.
cssText=o=""),o)for(t in o)n&&t in n||Ui(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||Ui(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),
typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(s=lr[t]||(lr[t]=rc(t)),(e.__a||(e.__a={}))[t]=ir,i=t!=(t=t.replace(Gi,"$1")),(t=t.slice(2))[0]<"a"&&
(t=t.toLowerCase()),n?e.addEventListener(t,s,i):e.removeEventListener(t,s,i));else{if(l=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)
try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function rc(e){
return function(t){var n=this.__e;if(n){if(n=n[e],t[jo]==null)t[jo]=ir++;else if(t[jo]<this.__a[e])return;return n(ce.event?ce.event(t):t)}}}function ar(e,t,n,o,l,i,s,u,f,m){
var g,h,b,x,k,P,E,M,w,A,S,j,F,Y,W,J,U,C,q=t.type;if(t.constructor!==po)return null;128&n.__u&&(f=32&n.__u,g=n.__c.__z)&&(t.__u|=f,h=i=[],g.nodeType==8?u=Jo(g,i):
i.push(g),u=i[0]||u),(g=ce.__b)&&g(t);e:if(typeof q=="function"){b=s.length;try{if(M=t.props,w=(g=q.prototype)&&g.render,A=(g=q.contextType)&&o[g.__c],S=g?A?A.props.
value:g.__:o,(x=n.__c)?(t.__c=x,2&x.__g&&(x.__g|=1)):(w?t.__c=x=new q(M,S):(t.__c=x=new Zo(M,S),x.constructor=q,x.render=sc),A&&A.sub(x),x.state||(x.state={}),x.
__n=o,x.__g|=8,x.__h=[],x.__k=[]),w&&(x.__s||(x.__s=x.state),q.getDerivedStateFromProps&&(x.__s==x.state&&(x.__s=mn({},x.__s)),mn(x.__s,q.getDerivedStateFromProps(
M,x.__s)))),k=x.props,P=x.state,x.__v=t,n.__c){if(M!==k&&w&&!q.getDerivedStateFromProps&&x.componentWillReceiveProps&&x.componentWillReceiveProps(M,S),t.__v==n.
__v&&!(8&x.__g)||!(4&x.__g)&&x.shouldComponentUpdate&&x.shouldComponentUpdate(M,x.__s,S)===!1){t.__v!=n.__v&&(x.props=M,x.state=x.__s,x.__g&=-9),t.__e=n.__e,t.__k=
n.__k,t.__k.some(function(R){R&&(R.__=t)}),el.push.apply(x.__h,x.__k),x.__k=[],x.__h.length&&s.push(x),u=Jt(n);break e}x.componentWillUpdate&&x.componentWillUpdate(
M,x.__s,S),w&&x.componentDidUpdate&&x.__h.push(function(){x.componentDidUpdate(k,P,E)})}else w&&!q.getDerivedStateFromProps&&x.componentWillMount&&x.componentWillMount(),
w&&x.componentDidMount&&x.__h.push(x.componentDidMount);x.context=S,x.props=M,x.__P=e,x.__g&=-5,j=ce.__r,F=w?25:0;do x.__g&=-9,j&&j(t),g=x.render(x.props,x.state=
x.__s,x.context);while(8&x.__g&&++F<25);w&&(el.push.apply(x.__h,x.__k),x.__k=[]),x.state=x.__s,x.getChildContext&&(o=mn({},o,x.getChildContext())),w&&n.__c&&x.getSnapshotBeforeUpdate&&
(E=x.getSnapshotBeforeUpdate(k,P)),Y=g&&g.type===Pe&&g.key==null?g.props.children:g,M.__P&&(g=u,l=(e=M.__P).namespaceURI,f=i=null,n.props&&n.props.__P!=e&&(n.__k.
some(function(R){R&&cr(R,R)}),n.__k=null),u=n.__k?Jt(n,0):null),u=Zi(e,sr(Y)?Y:[Y],t,n,o,l,i,s,u,f,m),M.__P&&(t.__e=null,u=g),t.__u&=-161,h&&h.some(dn),x.__h.length&&
s.push(x),1&x.__g&&(x.__g&=-4)}catch(R){if(s.length=b,t.__v=null,f||i)if(R&&R.then){if(t.__u|=128|f,i){for(~(U=i.indexOf(u||void 0))||(U=i.length);(C=i[U-1])&&C.
nodeType==8;)U--;for(;U<i.length;U++)if(C=i[U])if(i[U]=null,W){if(C==J)break}else{if(C.nodeType!=8)break;C.data.startsWith("$s")&&(J=Jo(W=C))}}if(!W){for(;u&&u.
nodeType==8&&u.nextSibling;)u=u.nextSibling;W=u}(g=Jo(W=t.__c.__z||(t.__c.__z=W)))?(t.__e=W,u=g):t.__e=u,u=u&&u.nextSibling}else i&&i.some(dn);else t.__e=n.__e;
t.__k||(t.__k=n.__k||[]),R&&R.then||Qi(t),ce.__e(R,t,n)}}else u=t.__e=ic(n.__e,t,n,o,l,i,s,f,m,e);return(g=ce.diffed)&&g(t),u}function Jo(e,t){if(e&&e.nodeType==
8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(
e)}}function Qi(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Qi))}function Xi(e,t,n){for(var o=0;o<n.length;)ur(n[o++],n[o++],n[o++]);ce.__c&&ce.__c(t,e),e.some(
function(l){try{e=l.__h,l.__h=[],e.some(function(i){i.call(l)})}catch(i){ce.__e(i,l.__v)}})}function ic(e,t,n,o,l,i,s,u,f,m){var g,h,b,x,k,P,E,M,w=n.props||Xo,A=t.
props,S=t.type;if(S=="svg"?l="http://www.w3.org/2000/svg":S=="math"?l="http://www.w3.org/1998/Math/MathML":l||(l="http://www.w3.org/1999/xhtml"),i){for(g=0;g<i.
length;g++)if((k=i[g])&&(S?k.localName==S:k.nodeType==3)){e=k,i[g]=null;break}}if(!e){if(M=m.ownerDocument||document,!S)return M.createTextNode(A);e=M.createElementNS(
l,S,A.is?A:m),u&&(ce.__m&&ce.__m(t,i),u=!1),i=null}if(S){if(m=S=="template"&&e.content||e,i=S=="textarea"&&A.defaultValue!=null?null:i&&Ki.call(m.childNodes),!u&&
i)for(w={},g=0;g<e.attributes.length;g++)w[(k=e.attributes[g]).name]=k.value;for(g in w)k=w[g],g=="dangerouslySetInnerHTML"?b=k:g=="children"||g in A||g=="value"&&
"defaultValue"in A||g=="checked"&&"defaultChecked"in A||Ko(e,g,null,k,l);for(g in A)k=A[g],g=="children"?x=k:g=="dangerouslySetInnerHTML"?h=k:g=="value"?P=k:g==
"checked"?E=k:u&&typeof k!="function"||w[g]===k||Ko(e,g,k,w[g],l);h?(u||b&&(h.__html==b.__html||h.__html==e.innerHTML)||(e.innerHTML=h.__html),t.__k=[]):(b&&(e.
textContent=""),(S=="foreignObject"||l=="http://www.w3.org/1998/Math/MathML"&&tc.test(S))&&(l="http://www.w3.org/1999/xhtml"),Zi(m,sr(x)?x:[x],t,n,o,l,i,s,i?i[0]:
n.__k&&Jt(n,0),u,f),i&&i.some(dn)),u&&S!="textarea"||(g="value",S=="progress"&&P==null?e.removeAttribute(g):P==null||P===e[g]&&(S!="progress"||P)||Ko(e,g,P,w[g],
l),g="checked",E!=null&&E!=e[g]&&Ko(e,g,E,w[g],l))}else w===A||u&&e.data==A||(e.data=A);return e}function ur(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&
(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(l){ce.__e(l,n)}}function cr(e,t,n){var o,l,i,s;if(ce.unmount&&ce.unmount(
e),!(o=e.ref)||o.current&&o.current!=e.__e||ur(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(u){ce.__e(u,t)}o.__P=o.__n=null}
if(o=e.__k)for(s=0;s<o.length;s++)o[s]&&cr(o[s],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(l=Jo(o,i=[]))&&(o==e.__e&&i.some(dn),dn(
l),dn(o)),n||dn(e.__e),e.__e=e.__c=e.__=null}function sc(e,t,n){return this.constructor(e,n)}function es(e,t){var n,o,l,i;ce.__&&ce.__(e,t),t.nodeType==9&&(t=t.
documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=Yo(Pe,{children:[e]}),l=[],i=[],ar(t,t.__k,o||Xo,Xo,t.namespaceURI,o?null:t.firstChild?Ki.call(t.childNodes):
null,l,o?o.__e:t.firstChild,n,i),Xi(l,t.__k,i),t.__k.props.children=null}function ts(e){function t(n){var o,l;return this.getChildContext||(o=new Set,(l={})[t.__c]=this,this.getChildContext=function(){return l},this.shouldComponentUpdate=
function(i){this.props.value!=i.value&&o.forEach(function(s){s.__g|=4,rr(s)})},this.sub=function(i){o.add(i);var s=i.componentWillUnmount;i.componentWillUnmount=
function(){o.delete(i),s&&s.call(i)}}),n.children}return t.__c="__cC"+Bi++,t.__=e,t.Provider=(t.Consumer=function(n,o){return n.children(o)}).contextType=t,t}ce={__e:function(e,t,n,o){for(var l,i,s;t=t.__;)if((l=t.__c)&&!(1&l.__g)){l.__g|=4;try{if((s=(i=l.constructor)&&i.getDerivedStateFromError)&&l.setState(i.getDerivedStateFromError(
e)),l.componentDidCatch&&(l.componentDidCatch(e,o||{}),s=1),s&&8&l.__g)return void(l.__g|=2)}catch(u){e=u}}throw Qo=0,e}},Wi=0,ec=function(e){return e!=null&&e.
constructor===po},Zo.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=mn({},this.state)),typeof e=="function"&&(e=e(mn({},n),this.props)),
e&&(mn(n,e),this.__v&&(t&&this.__k.push(t),rr(this)))},Zo.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),rr(this))},Zo.prototype.render=
Pe,Zt=[],Qo=0,qi=function(e,t){return e.__v.__b-t.__v.__b},jo=Symbol(),Gi=/(PointerCapture)$|Capture$/i,ir=0,lr={},Bi=0;var hn,De,fr,ns,pr=Object.is,ho=0,fs=[],dr=[],Ee=ce,os=Ee.__b,ls=Ee.__r,rs=Ee.diffed,is=Ee.__c,ss=Ee.unmount,as=Ee.__;function go(e,t){Ee.__h&&Ee.__h(De,e,ho||t),
ho=0;var n=De.__H||(De.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function le(e){return ho=1,ac(ms,e)}function ac(e,t,n){var o=go(hn++,2);
if(o.t=e,!o.__c&&(o.__=[n?n(t):ms(void 0,t),function(i){var s=(o.__N||o.__)[0],u=o.t(s,i);pr(s,u)||(o.__N=[u,o.__[1]],o.__c.setState({}))}],o.__c=De,!De.__f)){De.
__f=!0;var l=De.shouldComponentUpdate;De.shouldComponentUpdate=function(i,s,u){var f=this.__H;if(!f)return!0;var m=!1,g=this.props!=i;if(f.__.some(function(b){b.
__N&&(m=!0,pr(b.__[0],b.__N[0])||(g=!0))}),l){var h=l.call(this,i,s,u);return m?h||g:h}return!m||g}}return o.__}function Me(e,t){var n=go(hn++,3);!Ee.__s&&ds(n.
__H,t)&&(n.__P=!0,n.__=e,n.u=t,De.__H.__h.push(n))}function gn(e){return ho=5,tl(function(){return{current:e}},[])}function tl(e,t){var n=go(hn++,7);return ds(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function nl(e,t){return ho=8,tl(function(){return e},t)}function ps(e){var t=De.context[e.
__c],n=go(hn++,9);return n.c=e,t?(n.__==null&&(n.__=!0,t.sub(De)),t.props.value):e.__}function hr(){var e=go(hn++,11);if(!e.__){for(var t=De.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function uc(){var e;
do{for(;e=dr.shift();)try{mo(e)}catch(n){Ee.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=fs.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(mo),t.__h.some(mr),t.__h=[]}catch(n){
t.__h=[],Ee.__e(n,e.__v)}}}while(dr.length)}Ee.__b=function(e){De=null,os&&os(e)},Ee.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),as&&as(e,t)},Ee.__r=
function(e){ls&&ls(e),hn=0;var t=(De=e.__c).__H;t&&(fr==De?De.__h=[]:(t.__h.some(mo),t.__h.some(mr),hn=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=
n.__N=void 0})),fr=De},Ee.diffed=function(e){rs&&rs(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&cs(fs.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),fr=
De=null},Ee.__c=function(e,t){t.some(function(n){try{n.__h.some(mo),n.__h=n.__h.filter(function(o){return!o.__||mr(o)})}catch(o){n.__h=[function(){throw o}]}}),
is&&is(e,t)},Ee.unmount=function(e){ss&&ss(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(l){try{if(l.__P&&l.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.
__c.__P);)n=n.__;n=n&&n.__c}l.__P=n,cs(dr.push(l))}else mo(l)}catch(i){t=i}}),o.__H=void 0,t&&Ee.__e(t,o.__v))};var us=typeof requestAnimationFrame=="function";
function cc(e){var t,n=function(){clearTimeout(o),us&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);us&&(t=requestAnimationFrame(n))}function cs(e){
e!=1&&ns==Ee.requestAnimationFrame||((ns=Ee.requestAnimationFrame)||cc)(uc)}function mo(e){var t=De,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),De=t}function mr(e){
var t=De;e.__c=e.__(),De=t}function ds(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!pr(n,e[o])})}function ms(e,t){return typeof t=="function"?
t(e):t}var _n=class extends Error{constructor(n,o,l,i=null){super(l);this.status=n;this.code=o;this.param=i}status;code;param},ol=new EventTarget;async function ll(e,t={},n){
let[o="GET"]=e.split(" ");return await _o(o,rl(e,t),t.body,n)}function rl(e,t={},n={}){let l=e.slice(e.indexOf(" ")+1).replace(/\{(\w+)\}/g,(u,f)=>encodeURIComponent(
t.path?.[f]??"")),i=new URLSearchParams;for(let[u,f]of Object.entries({...t.query,...n}))f!==void 0&&f!==""&&i.set(u,String(f));let s=i.toString();return s===""?
l:l+"?"+s}function hs(e,t={}){return rl(e,t,{format:"csv"})}async function _o(e,t,n,o){let l={method:e,credentials:"same-origin",headers:{accept:"application/js\
on"}};o&&(l.signal=o),n!==void 0&&(l.body=JSON.stringify(n),l.headers={accept:"application/json","content-type":"application/json"});let i=await fetch(t,l).catch(
s=>{throw s instanceof DOMException&&s.name==="AbortError"?s:new _n(0,"unreachable","Weir does not answer at this address.")});if(i.ok)return i.status===204?void 0:
i.json();throw await fc(i)}async function fc(e){e.status===401&&ol.dispatchEvent(new Event("ended"));let t=await e.json().catch(()=>null),n=pc(t)?t.error:null;return new _n(
e.status,n?.code??"",n?.message??`Weir answered ${e.status}.`,n?.param??null)}function pc(e){return typeof e=="object"&&e!==null&&"error"in e&&typeof e.error=="\
object"&&e.error!==null&&"message"in e.error}var dc=150,mc=6e4,gr=new EventTarget;function gs(){gr.dispatchEvent(new Event("refresh"))}function nt(e,t){let n=t===null?"":JSON.stringify([e,t]),[o,l]=le(null),
[i,s]=le(null),[u,f]=le(!1),[m,g]=le(null),h=gn(""),b=gn(null),x=nl(()=>{if(b.current?.abort(),n==="")return;let{signal:k}=b.current=new AbortController,P=setTimeout(
()=>f(!0),dc),[,E]=JSON.parse(n);ll(e,E,k).then(M=>{h.current=n,l(M),s(null),g(new Date)}).catch(M=>{k.aborted||(h.current!==n&&l(null),s(xo(M)))}).finally(()=>{
clearTimeout(P),k.aborted||f(!1)})},[n]);return Me(()=>{x();let k=setInterval(()=>document.hidden||x(),mc);return gr.addEventListener("refresh",x),()=>{b.current?.
abort(),clearInterval(k),gr.removeEventListener("refresh",x)}},[x]),{data:o,error:i,loading:u,at:m,reload:x}}function xo(e){return e instanceof _n?e:new _n(0,"f\
ailed",e instanceof Error?e.message:String(e))}var _r="/admin/v1/session",xr=ts(null);function Ae(){let e=ps(xr);if(!e)throw new Error("no session");return e}async function br(){return await _o("GET",_r)}async function _s(e){return await _o("POST",_r,{token:e})}async function xs(){await _o("DELETE",_r)}var hc=1000000000n;function Gn(e,t=2){let n=typeof e=="bigint"?e:BigInt(Math.round(e)),o=n<0n?"−":"",l=n<0n?-n:n,i=l===0n?t:Math.max(t,gc(l)),s=10n**BigInt(9-
i),u=(l+s/2n)/s,f=10n**BigInt(i),m=i===0?"":"."+(u%f).toString().padStart(i,"0");return`${o}$${vs(u/f)}${m}`}function gc(e){return e>=hc/100n?0:Math.min(9,9-e.toString().
length+2)}function vr(e){let t=Gn(e,9).replace(/0+$/,"");return t.endsWith(".")?t+"00":t.replace(/\.(\d)$/,".$10")}function bs(e){let t=e/1e9;return Math.abs(t)>=
1e4?"$"+wr(t):Gn(e,t!==0&&Math.abs(t)<10?2:0)}function vs(e){return e.toString().replace(/\B(?=(\d{3})+$)/g,",")}function zt(e){return vs(BigInt(Math.round(e))).
replace("-","−")}function wr(e){for(let[t,n]of[[1e12,"T"],[1e9,"B"],[1e6,"M"],[1e4,"k"]])if(Math.abs(e)>=t){let o=e/(n==="k"?1e3:t);return`${ws(o)} ${n}`}return zt(
e)}function ws(e){let t=Math.floor(Math.abs(e)).toString().length;return e.toFixed(Math.max(0,3-t))}function il(e,t){if(t===0)return"0 %";let n=e/t*100;return n!==
0&&n<.01?"< 0.01 %":`${n.toFixed(n<10&&n%1!==0?2:n<100&&n%1!==0?1:0)} %`}function yr(e,t){if(t===0)return"";let n=(e-t)/t*100;return Math.abs(n)>=1e3?`${n>0?"+":
"−"}${ws(Math.abs(e/t))}×`:`${n<0?"−":"+"}${Math.abs(n).toFixed(Math.abs(n)<10?1:0)} %`}function sl(e){if(e===null)return"–";if(e<1e3)return`${e} µs`;if(e<
1e6)return`${e<1e4?(e/1e3).toFixed(1):Math.round(e/1e3)} ms`;if(e<6e7)return`${(e/1e6).toFixed(2)} s`;let t=Math.round(e/1e6);return`${Math.floor(t/60)} min ${t%
60} s`}function bo(e,t,n=t+"s"){return`${zt(e)} ${e===1?t:n}`}var ys=new Map;function vo(e,t,n){let o=e+t,l=ys.get(o);return l||ys.set(o,l=new Intl.DateTimeFormat("en-GB",{timeZone:e,hourCycle:"h23",...n})),l}function Ts(e,t){
return vo(t,"clock",{hour:"2-digit",minute:"2-digit",second:"2-digit"}).format(e)}function Qt(e,t){return vo(t,"minute",{hour:"2-digit",minute:"2-digit"}).format(
e)}function Sr(e,t){return vo(t,"day",{day:"numeric",month:"short"}).format(e)}function ks(e,t){return vo(t,"full",{day:"numeric",month:"short",year:"numeric",hour:"2-digit",minute:"2-digit"}).format(e).replace(",","")}function kr(e,t){let n=Object.fromEntries(vo(t,"parts",{year:"numeric",month:"numeric",day:"numeric",hour:"numeric",minute:"numeric",second:"numeric"}).formatToParts(
e).map(l=>[l.type,Number(l.value)]));return Date.UTC(n.year??0,(n.month??1)-1,n.day,n.hour,n.minute,n.second)-Math.floor(e/1e3)*1e3}function xn(e,t){let n=Date.
parse(e.length===10?e+"T00:00Z":e+"Z"),o=n-kr(n,t);return new Date(n-kr(o,t))}function al(e,t){return new Date(e.getTime()+kr(e.getTime(),t)).toISOString().slice(
0,16)}function wo(e){return{since:e.get("since")??"7d",until:e.get("until")??""}}function yo(e,t=new Date){let n=al(t,e).slice(0,10),o=n.slice(0,8)+"01";return[
{label:"Last hour",since:"1h",until:""},{label:"Last 24 hours",since:"24h",until:""},{label:"Last 7 days",since:"7d",until:""},{label:"Last 30 days",since:"30d",
until:""},{label:"Last 90 days",since:"90d",until:""},{label:"Today",since:n,until:""},{label:"This month",since:o,until:""},{label:"Last month",since:_c(o),until:o}]}
function _c(e){let t=new Date(e+"T00:00Z");return t.setUTCMonth(t.getUTCMonth()-1),t.toISOString().slice(0,10)}var xc={m:6e4,h:36e5,d:864e5,w:7*864e5};function ko(e,t,n=new Date){
return{from:Ss(e.since,t,n),to:e.until===""?n:Ss(e.until,t,n)}}function Ss(e,t,n){let o=/^(\d+)([mhdw])$/.exec(e);return o?new Date(n.getTime()-Number(o[1])*(xc[o[2]??
"d"]??0)):/^\d{4}-\d{2}-\d{2}$/.test(e)?xn(e,t):new Date(e)}function Ps(e,t,n=new Date(Math.floor(Date.now()/36e5)*36e5)){let{from:o,to:l}=ko(e,t,n);return{since:new Date(
2*o.getTime()-l.getTime()).toISOString(),until:o.toISOString()}}function Tr(e,t){let{from:n,to:o}=ko(e,t),l=(o.getTime()-n.getTime())/864e5;return l<=8?"hour":l<=
400?"day":"month"}function ul(e,t){let n=yo(t).find(i=>i.since===e.since&&i.until===e.until);if(n)return n.label;let{from:o,to:l}=ko(e,t);return`${ks(o,t)} – ${e.
until===""?"now":ks(l,t)}`}var cl="other",Pr=new Map;function Ds(e){let t=new Set;for(let n of e){let o=Pr.get(n);o!==void 0&&t.add(o)}return e.map(n=>bc(n,t))}function bc(e,t){if(e===cl)
return 8;let n=Pr.get(e);if(n!==void 0)return n;let o=vc(e)%7;for(let l=0;l<7&&t.has(o+1);l++)o=(o+1)%7;return t.add(o+1),Pr.set(e,o+1),o+1}function vc(e){let t=2166136261;
for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619)>>>0;return t}function So(e){let t=document.createElement("i");t.style.color=`var(--${e})`,t.hidden=
!0,document.body.append(t);let n=getComputedStyle(t).color;return t.remove(),n}var wc=7;function yc(e,t){return e.hour!==void 0?new Date(e.hour):xn(e.day??(e.month??"1970-01")+"-01",t)}function Dr(e,t,n,o){let l=[];for(let i=e;i<t&&l.length<
5e3;i=kc(i,n,o))l.push(i);return l}function kc(e,t,n){if(t==="hour")return new Date(e.getTime()+36e5);let o=new Date(e.getTime()+1).toLocaleDateString("en-CA",{
timeZone:n}).split("-").map(Number),[l=0,i=1,s=1]=o,u=t==="day"?new Date(Date.UTC(l,i-1,s+1)):new Date(Date.UTC(l,i,1));return xn(u.toISOString().slice(0,10),n)}
function Cs({rows:e,xs:t,zone:n,group:o,value:l}){let i=new Map;for(let m of e)i.set(o(m),(i.get(o(m))??0)+l(m));let s=[...i].filter(([m,g])=>g>0&&m!==cl).toSorted(
(m,g)=>g[1]-m[1]).slice(0,wc).map(([m])=>m),u=new Map(s.map(m=>[m,{name:m,values:t.map(()=>0)}])),f=new Map(t.map((m,g)=>[m.getTime(),g]));for(let m of e){let g=u.
has(o(m))?o(m):cl;if(l(m)===0)continue;let h=u.get(g);h||u.set(g,h={name:g,values:t.map(()=>0)});let b=f.get(yc(m,n).getTime());b!==void 0&&(h.values[b]=(h.values[b]??
0)+l(m))}return[...u.values()]}function Es(e,t,n){let o=new Map(e.map(l=>[new Date(l.at??0).getTime(),l[n]]));return["p50","p95","p99"].map(l=>({name:l,values:t.
map(i=>o.get(i.getTime())?.[`${l}_us`]??null)}))}var Sc=["since","until","team"],Cr=new Set;function fl(){return{path:location.pathname,params:new URLSearchParams(location.search)}}function Xt(){let[e,t]=le(fl);
return Me(()=>{let n=()=>t(fl());return Cr.add(n),addEventListener("popstate",n),()=>{Cr.delete(n),removeEventListener("popstate",n)}},[]),e}function pl(e,t=!1){
let n=location.pathname;t?history.replaceState(null,"",e):history.pushState(null,"",e),location.pathname!==n&&scrollTo(0,0),Cr.forEach(o=>o())}function Vt(e,t=!1){
let{path:n,params:o}=fl();pl(n+As(Ms(o,e)),t)}function _t(e,t={}){let n=new URLSearchParams;for(let o of Sc){let l=fl().params.get(o);l!==null&&n.set(o,l)}return e+As(Ms(n,t))}function Ms(e,t){for(let[n,o]of Object.
entries(t))o===null||o===""?e.delete(n):e.set(n,o);return e}function As(e){let t=e.toString();return t===""?"":"?"+t}function Ls(e){document.addEventListener("c\
lick",t=>{if(t.defaultPrevented||t.button!==0||t.metaKey||t.ctrlKey||t.shiftKey||t.altKey)return;let n=t.target instanceof Element?t.target.closest("a"):null;!n||
n.target!==""||n.hasAttribute("download")||n.origin!==location.origin||e.includes(n.pathname)&&(t.preventDefault(),pl(n.pathname+n.search))})}var Tc=Symbol.for("pv"),Pc=0;function d(e,t,n,o,l,i){t||(t={});var s,u,f=t;if("ref"in f&&typeof e!="function")for(u in f={},t)u=="ref"?s=t[u]:f[u]=t[u];var m={type:e,props:f,key:n,ref:s,__k:null,
__:null,__b:0,__e:null,__c:null,constructor:Tc,__v:--Pc,__i:-1,__u:0};return(l||i)&&(m.__source=l,m.__self=i),ce.vnode&&ce.vnode(m),m}function Rs({text:e,label:t="Copy"}){let[n,o]=le("");return Me(()=>{let i=setTimeout(()=>o(""),1500);return()=>clearTimeout(i)},[n]),d("button",{type:"button",class:"\
quiet",onClick:()=>{navigator.clipboard.writeText(e).then(()=>o("Copied"),()=>o("Not allowed"))},children:[n||t,d("span",{class:"unseen",role:"status",children:n})]})}
function dl({route:e,asked:t,command:n,list:o}){return d(Pe,{children:[n&&d(Rs,{text:n,label:"Copy command"}),d(Rs,{text:Dc(e,t),label:"Copy curl"}),o&&d("a",{class:"\
button quiet",href:hs(e,t),download:"",children:"CSV"})]})}function Dc(e,t){return`curl -s ${Cc(location.origin+rl(e,t))} -H "Authorization: Bearer $(cat weir-d\
ata/admin.token)"`}function Cc(e){return/^[\w@%+=:,./-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function To({label:e,hint:t,wrong:n,value:o,onInput:l,list:i,type:s="text",...u}){let f=hr(),m={type:s,list:i&&f+"-list","aria-invalid":n?!0:void 0,"aria-descri\
bedby":t||n?f+"-about":void 0,...u};return d("div",{class:"field",children:[d("label",{for:f,children:e}),d("input",{id:f,value:o,onInput:g=>l(g.currentTarget.value),
autocomplete:"off",spellcheck:!1,...m}),i&&d("datalist",{id:f+"-list",children:i.map(g=>d("option",{value:g},g))}),d(Os,{id:f,hint:t,wrong:n})]})}function Er({label:e,
hint:t,wrong:n,value:o,options:l,onChange:i,bare:s}){let u=hr();return d("div",{class:"field",children:[d("label",{for:u,class:s?"unseen":void 0,children:e}),d(
"select",{id:u,value:o,onChange:f=>i(f.currentTarget.value),children:l.map(f=>d("option",{value:f.value,selected:f.value===o,children:f.label},f.value))}),d(Os,
{id:u,hint:t,wrong:n})]})}function Os({id:e,hint:t,wrong:n}){return!t&&!n?null:d("span",{id:e+"-about",class:n?"wrong":"muted small",children:n??t})}function ml({label:e,value:t,options:n,onChange:o}){return d("div",{class:"segments",role:"group","aria-label":e,children:n.map(l=>d("button",{type:"button","ar\
ia-pressed":l.value===t,onClick:()=>o(l.value),children:l.label},l.value))})}var Mr="custom";function zs(){let{zone:e}=Ae(),t=wo(Xt().params),[n,o]=le(!1),l=yo(e).find(u=>u.since===t.since&&u.until===t.until),i=yo(e).map(u=>({value:u.label,
label:u.label}));l||i.push({value:"",label:ul(t,e)}),i.push({value:Mr,label:"From … to …"});let s=u=>{let f=yo(e).find(m=>m.label===u);o(u===Mr),f&&Vt({since:f.
since,until:f.until})};return d(Pe,{children:[d(Er,{bare:!0,label:"Period",value:n?Mr:l?.label??"",options:i,onChange:s}),n&&d(Ec,{onDone:()=>o(!1)})]})}function Ec({
onDone:e}){let{zone:t}=Ae(),{from:n,to:o}=ko(wo(Xt().params),t),[l,i]=le(al(n,t)),[s,u]=le(al(o,t)),f=s<=l?"It ends before it begins.":null;return d("form",{class:"\
filters",onSubmit:g=>{g.preventDefault(),!f&&(Vt({since:xn(l,t).toISOString(),until:xn(s,t).toISOString()}),e())},children:[d(To,{label:`From, ${t}`,type:"datet\
ime-local",value:l,onInput:i,required:!0}),d(To,{label:"To",type:"datetime-local",value:s,onInput:u,required:!0,wrong:f}),d("button",{class:"primary",disabled:f!==
null,children:"Show"})]})}function Fs(){let e=Xt().params.get("team")??"",n=(nt("GET /admin/v1/teams",{query:{limit:1e3}}).data?.data??[]).map(o=>({value:o.name,
label:o.name}));return n.length===0&&e===""?null:(e!==""&&!n.some(o=>o.value===e)&&n.push({value:e,label:e}),d(Er,{bare:!0,label:"Team",value:e,options:[{value:"",
label:"All teams"},...n],onChange:o=>Vt({team:o})}))}function $s({title:e,period:t,team:n,of:o,tools:l,children:i}){return Me(()=>{document.title=`${e} · Weir`},[e]),d(Pe,{children:[d("div",{class:"head",children:[
d("h1",{children:e}),d("div",{class:"tools",children:[l,n&&d(Fs,{}),t&&d(zs,{}),o&&d(Mc,{of:o})]})]}),i]})}function Mc({of:e}){let{zone:t}=Ae();return d("button",
{class:"quiet",title:"Fetch it again",onClick:gs,children:e.at?`as of ${Ts(e.at,t)}`:"…"})}var Ar="weir-scheme",Hs=["light","dark","system"];function hl(){try{let e=localStorage.getItem(Ar);return e==="light"||e==="dark"?e:"system"}catch{return"system"}}
function Is(e){try{e==="system"?localStorage.removeItem(Ar):localStorage.setItem(Ar,e)}catch{}Po(e)}function Po(e){e==="system"?delete document.documentElement.
dataset.scheme:document.documentElement.dataset.scheme=e,Do.dispatchEvent(new Event("scheme"))}var Do=new EventTarget;matchMedia("(prefers-color-scheme: dark)").
addEventListener("change",()=>Do.dispatchEvent(new Event("scheme")));var Ac="uplot",Lc="u-hz",Rc="u-vt",Oc="u-title",zc="u-wrap",Fc="u-under",$c="u-over",Hc="u-axis",wn="u-off",Ic="u-select",Nc="u-cursor-x",Vc="u-cursor-y",Uc="u-\
cursor-pt",Wc="u-legend",qc="u-live",Gc="u-inline",Bc="u-series",Kc="u-marker",Ns="u-label",jc="u-value",Eo="width",Mo="height";var Vs="bottom",Bn="left",Lr="right",Yr="#000",Us=Yr+"0",Rr="mousemove",Ws="mousedown",Or="mouseup",qs="mouseenter",Gs="mouseleave",Bs="dblclick",Yc="resize",Zc="\
scroll",Ks="change",vl="dppxchange",Zr="--",Xn=typeof window<"u",Ir=Xn?document:null,jn=Xn?window:null,Jc=Xn?navigator:null,se,gl;function Nr(){let e=devicePixelRatio;
se!=e&&(se=e,gl&&Ur(Ks,gl,Nr),gl=matchMedia(`(min-resolution: ${se-.001}dppx) and (max-resolution: ${se+.001}dppx)`),yn(Ks,gl,Nr),jn.dispatchEvent(new CustomEvent(
vl)))}function at(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function Vr(e,t){let n=e.classList;n.contains(t)&&n.remove(t)}function be(e,t,n){
e.style[t]=n+"px"}function Tt(e,t,n,o){let l=Ir.createElement(e);return t!=null&&at(l,t),n?.insertBefore(l,o),l}function xt(e,t){return Tt("div",e,t)}var js=new WeakMap;
function Ft(e,t,n,o,l){let i="translate("+t+"px,"+n+"px)",s=js.get(e);i!=s&&(e.style.transform=i,js.set(e,i),t<0||n<0||t>o||n>l?at(e,wn):Vr(e,wn))}var Ys=new WeakMap;
function Zs(e,t,n){let o=t+n,l=Ys.get(e);o!=l&&(Ys.set(e,o),e.style.background=t,e.style.borderColor=n)}var Js=new WeakMap;function Qs(e,t,n,o){let l=t+""+n,i=Js.
get(e);l!=i&&(Js.set(e,l),e.style.height=n+"px",e.style.width=t+"px",e.style.marginLeft=o?-t/2+"px":0,e.style.marginTop=o?-n/2+"px":0)}var Jr={passive:!0},Qc={...Jr,
capture:!0};function yn(e,t,n,o){t.addEventListener(e,n,o?Qc:Jr)}function Ur(e,t,n,o){t.removeEventListener(e,n,Jr)}Xn&&Nr();function Pt(e,t,n,o){let l;n=n||0,o=
o||t.length-1;let i=o<=2147483647;for(;o-n>1;)l=i?n+o>>1:ut((n+o)/2),t[l]<e?n=l:o=l;return e-t[n]<=t[o]-e?n:o}function Pa(e){return(n,o,l)=>{let i=-1,s=-1;for(let u=o;u<=
l;u++)if(e(n[u])){i=u;break}for(let u=l;u>=o;u--)if(e(n[u])){s=u;break}return[i,s]}}var Da=e=>e!=null,Ca=e=>e!=null&&e>0,kl=Pa(Da),Xc=Pa(Ca);function ef(e,t,n,o=0,l=!1){
let i=l?Xc:kl,s=l?Ca:Da;[t,n]=i(e,t,n);let u=e[t],f=e[t];if(t>-1)if(o==1)u=e[t],f=e[n];else if(o==-1)u=e[n],f=e[t];else for(let m=t;m<=n;m++){let g=e[m];s(g)&&(g<
u?u=g:g>f&&(f=g))}return[u??de,f??-de]}function Sl(e,t,n,o){let l=ta(e),i=ta(t);e==t&&(l==-1?(e*=n,t/=n):(e/=n,t*=n));let s=n==10?Ut:Ea,u=l==1?ut:bt,f=i==1?bt:ut,
m=u(s(Fe(e))),g=f(s(Fe(t))),h=Yn(n,m),b=Yn(n,g);return n==10&&(m<0&&(h=me(h,-m)),g<0&&(b=me(b,-g))),o||n==2?(e=h*l,t=b*i):(e=Ra(e,h),t=Tl(t,b)),[e,t]}function Qr(e,t,n,o){
let l=Sl(e,t,n,o);return e==0&&(l[0]=0),t==0&&(l[1]=0),l}var Xr=.1,Xs={mode:3,pad:Xr},Lo={pad:0,soft:null,mode:0},tf={min:Lo,max:Lo};function wl(e,t,n,o){return Pl(
n)?ea(e,t,n):(Lo.pad=n,Lo.soft=o?0:null,Lo.mode=o?3:0,ea(e,t,tf))}function re(e,t){return e??t}function nf(e,t,n){for(t=re(t,0),n=re(n,e.length-1);t<=n;){if(e[t]!=
null)return!0;t++}return!1}function ea(e,t,n){let o=n.min,l=n.max,i=re(o.pad,0),s=re(l.pad,0),u=re(o.hard,-de),f=re(l.hard,de),m=re(o.soft,de),g=re(l.soft,-de),
h=re(o.mode,0),b=re(l.mode,0),x=t-e,k=Ut(x),P=Qe(Fe(e),Fe(t)),E=Ut(P),M=Fe(E-k);(x<1e-24||M>10)&&(x=0,(e==0||t==0)&&(x=1e-24,h==2&&m!=de&&(i=0),b==2&&g!=-de&&(s=
0)));let w=x||P||1e3,A=Ut(w),S=Yn(10,ut(A)),j=w*(x==0?e==0?.1:1:i),F=me(Ra(e-j,S/10),24),Y=e>=m&&(h==1||h==3&&F<=m||h==2&&F>=m)?m:de,W=Qe(u,F<Y&&e>=Y?Y:Dt(Y,F)),
J=w*(x==0?t==0?.1:1:s),U=me(Tl(t+J,S/10),24),C=t<=g&&(b==1||b==3&&U>=g||b==2&&U<=g)?g:-de,q=Dt(f,U>C&&t<=C?C:Qe(C,U));return W==q&&W==0&&(q=100),[W,q]}var of=new Intl.
NumberFormat(Xn?Jc.language:"en-US"),ei=e=>of.format(e),ct=Math,bl=ct.PI,Fe=ct.abs,ut=ct.floor,ze=ct.round,bt=ct.ceil,Dt=ct.min,Qe=ct.max,Yn=ct.pow,ta=ct.sign,Ut=ct.
log10,Ea=ct.log2,lf=(e,t=1)=>ct.sinh(e)*t,zr=(e,t=1)=>ct.asinh(e/t),de=1/0;function na(e){return(Ut((e^e>>31)-(e>>31))|0)+1}function Wr(e,t,n){return Dt(Qe(e,t),
n)}function Ma(e){return typeof e=="function"}function ee(e){return Ma(e)?e:()=>e}var rf=()=>{},Aa=e=>e,La=(e,t)=>t,sf=e=>null,oa=e=>!0,la=(e,t)=>e==t,af=/\.\d*?(?=9{6,}|0{6,})/gm,
kn=e=>{if(za(e)||tn.has(e))return e;let t=`${e}`,n=t.match(af);if(n==null)return e;let o=n[0].length-1;if(t.indexOf("e-")!=-1){let[l,i]=t.split("e");return+`${kn(
l)}e${i}`}return me(e,o)};function bn(e,t){return kn(me(kn(e/t))*t)}function Tl(e,t){return kn(bt(kn(e/t))*t)}function Ra(e,t){return kn(ut(kn(e/t))*t)}function me(e,t=0){
if(za(e))return e;let n=10**t,o=e*n*(1+Number.EPSILON);return ze(o)/n}var tn=new Map;function Oa(e){return((""+e).split(".")[1]||"").length}function Oo(e,t,n,o){
let l=[],i=o.map(Oa);for(let s=t;s<n;s++){let u=Fe(s),f=me(Yn(e,s),u);for(let m=0;m<o.length;m++){let g=e==10?+`${o[m]}e${s}`:o[m]*f,h=(s>=0?0:u)+(s>=i[m]?0:i[m]),
b=e==10?g:me(g,h);l.push(b),tn.set(b,h)}}return l}var Ro={},ti=[],Zn=[null,null],en=Array.isArray,za=Number.isInteger,uf=e=>e===void 0;function ra(e){return typeof e==
"string"}function Pl(e){let t=!1;if(e!=null){let n=e.constructor;t=n==null||n==Object}return t}function cf(e){return e!=null&&typeof e=="object"}var ff=Object.getPrototypeOf(
Uint8Array),Fa="__proto__";function Jn(e,t=Pl){let n;if(en(e)){let o=e.find(l=>l!=null);if(en(o)||t(o)){n=Array(e.length);for(let l=0;l<e.length;l++)n[l]=Jn(e[l],
t)}else n=e.slice()}else if(e instanceof ff)n=e.slice();else if(t(e)){n={};for(let o in e)o!=Fa&&(n[o]=Jn(e[o],t))}else n=e;return n}function Le(e){let t=arguments;
for(let n=1;n<t.length;n++){let o=t[n];for(let l in o)l!=Fa&&(Pl(e[l])?Le(e[l],Jn(o[l])):e[l]=Jn(o[l]))}return e}var pf=0,df=1,mf=2;function hf(e,t,n){for(let o=0,
l,i=-1;o<t.length;o++){let s=t[o];if(s>i){for(l=s-1;l>=0&&e[l]==null;)e[l--]=null;for(l=s+1;l<n&&e[l]==null;)e[i=l++]=null}}}function gf(e,t){if(bf(e)){let s=e[0].
slice();for(let u=1;u<e.length;u++)s.push(...e[u].slice(1));return vf(s[0])||(s=xf(s)),s}let n=new Set;for(let s=0;s<e.length;s++){let f=e[s][0],m=f.length;for(let g=0;g<
m;g++)n.add(f[g])}let o=[Array.from(n).sort((s,u)=>s-u)],l=o[0].length,i=new Map;for(let s=0;s<l;s++)i.set(o[0][s],s);for(let s=0;s<e.length;s++){let u=e[s],f=u[0];
for(let m=1;m<u.length;m++){let g=u[m],h=Array(l).fill(void 0),b=t?t[s][m]:df,x=[];for(let k=0;k<g.length;k++){let P=g[k],E=i.get(f[k]);P===null?b!=pf&&(h[E]=P,
b==mf&&x.push(E)):h[E]=P}hf(h,x,l),o.push(h)}}return o}var _f=typeof queueMicrotask>"u"?e=>Promise.resolve().then(e):queueMicrotask;function xf(e){let t=e[0],n=t.
length,o=Array(n);for(let i=0;i<o.length;i++)o[i]=i;o.sort((i,s)=>t[i]-t[s]);let l=[];for(let i=0;i<e.length;i++){let s=e[i],u=Array(n);for(let f=0;f<n;f++)u[f]=
s[o[f]];l.push(u)}return l}function bf(e){let t=e[0][0],n=t.length;for(let o=1;o<e.length;o++){let l=e[o][0];if(l.length!=n)return!1;if(l!=t){for(let i=0;i<n;i++)
if(l[i]!=t[i])return!1}}return!0}function vf(e,t=100){let n=e.length;if(n<=1)return!0;let o=0,l=n-1;for(;o<=l&&e[o]==null;)o++;for(;l>=o&&e[l]==null;)l--;if(l<=
o)return!0;let i=Qe(1,ut((l-o+1)/t));for(let s=e[o],u=o+i;u<=l;u+=i){let f=e[u];if(f!=null){if(f<=s)return!1;s=f}}return!0}var $a=["January","February","March",
"April","May","June","July","August","September","October","November","December"],Ha=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Ia(e){
return e.slice(0,3)}var wf=Ha.map(Ia),yf=$a.map(Ia),kf={MMMM:$a,MMM:yf,WWWW:Ha,WWW:wf};function Co(e){return(e<10?"0":"")+e}function Sf(e){return(e<10?"00":e<100?
"0":"")+e}var Tf={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>Co(e.getMonth()+
1),M:e=>e.getMonth()+1,DD:e=>Co(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>Co(e.getHours()),H:e=>e.getHours(),
h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>Co(e.
getMinutes()),m:e=>e.getMinutes(),ss:e=>Co(e.getSeconds()),s:e=>e.getSeconds(),fff:e=>Sf(e.getMilliseconds())};function ni(e,t){t=t||kf;let n=[],o=/\{([a-z]+)\}|[^{]+/gi,
l;for(;l=o.exec(e);)n.push(l[0][0]=="{"?Tf[l[1]]:l[0]);return i=>{let s="";for(let u=0;u<n.length;u++)s+=typeof n[u]=="string"?n[u]:n[u](i,t);return s}}var Pf=new Intl.
DateTimeFormat().resolvedOptions().timeZone;function Df(e,t){let n;return t=="UTC"||t=="Etc/UTC"?n=new Date(+e+e.getTimezoneOffset()*6e4):t==Pf?n=e:(n=new Date(
e.toLocaleString("en-US",{timeZone:t})),n.setMilliseconds(e.getMilliseconds())),n}var Na=e=>e%1==0,yl=[1,2,2.5,5],Cf=Oo(10,-32,0,yl),Va=Oo(10,0,32,yl),Ef=Va.filter(
Na),vn=Cf.concat(Va),oi=`
`,Ua="{YYYY}",ia=oi+Ua,Wa="{M}/{D}",Ao=oi+Wa,_l=Ao+"/{YY}",qa="{aa}",Mf="{h}:{mm}",Kn=Mf+qa,sa=oi+Kn,aa=":{ss}",ue=null;function Ga(e){let t=e*1e3,n=t*60,o=n*60,
l=o*24,i=l*30,s=l*365,f=(e==1?Oo(10,0,3,yl).filter(Na):Oo(10,-3,0,yl)).concat([t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,o,o*2,o*3,o*4,o*6,o*8,o*12,l,l*2,l*3,l*
4,l*5,l*6,l*7,l*8,l*9,l*10,l*15,i,i*2,i*3,i*4,i*6,s,s*2,s*5,s*10,s*25,s*50,s*100]),m=[[s,Ua,ue,ue,ue,ue,ue,ue,1],[l*28,"{MMM}",ia,ue,ue,ue,ue,ue,1],[l,Wa,ia,ue,
ue,ue,ue,ue,1],[o,"{h}"+qa,_l,ue,Ao,ue,ue,ue,1],[n,Kn,_l,ue,Ao,ue,ue,ue,1],[t,aa,_l+" "+Kn,ue,Ao+" "+Kn,ue,sa,ue,1],[e,aa+".{fff}",_l+" "+Kn,ue,Ao+" "+Kn,ue,sa,
ue,1]];function g(h){return(b,x,k,P,E,M)=>{let w=[],A=E>=s,S=E>=i&&E<s,j=h(k),F=me(j*e,3),Y=Fr(j.getFullYear(),A?0:j.getMonth(),S||A?1:j.getDate()),W=me(Y*e,3);
if(S||A){let J=S?E/i:0,U=A?E/s:0,C=F==W?F:me(Fr(Y.getFullYear()+U,Y.getMonth()+J,1)*e,3),q=new Date(ze(C/e)),R=q.getFullYear(),B=q.getMonth();for(let V=0;C<=P;V++){
let te=Fr(R+U*V,B+J*V,1),N=te-h(me(te*e,3));C=me((+te+N)*e,3),C<=P&&w.push(C)}}else{let J=E>=l?l:E,U=ut(k)-ut(F),C=W+U+Tl(F-W,J);w.push(C);let q=h(C),R=q.getHours()+
q.getMinutes()/n+q.getSeconds()/o,B=E/o,V=b.axes[x]._space,te=M/V;for(;C=me(C+E,e==1?0:3),!(C>P);)if(B>1){let N=ut(me(R+B,6))%24,ne=h(C).getHours()-N;ne>1&&(ne=
-1),C-=ne*o,R=(R+B)%24;let fe=w[w.length-1];me((C-fe)/E,3)*te>=.7&&w.push(C)}else w.push(C)}return w}}return[f,m,g]}var[Af,Lf,Rf]=Ga(1),[Of,zf,Ff]=Ga(.001);Oo(2,
-53,53,[1]);function ua(e,t){return e.map(n=>n.map((o,l)=>l==0||l==8||o==null?o:t(l==1||n[8]==0?o:n[1]+o)))}function ca(e,t){return(n,o,l,i,s)=>{let u=t.find(k=>s>=
k[0])||t[t.length-1],f,m,g,h,b,x;return o.map(k=>{let P=e(k),E=P.getFullYear(),M=P.getMonth(),w=P.getDate(),A=P.getHours(),S=P.getMinutes(),j=P.getSeconds(),F=E!=
f&&u[2]||M!=m&&u[3]||w!=g&&u[4]||A!=h&&u[5]||S!=b&&u[6]||j!=x&&u[7]||u[1];return f=E,m=M,g=w,h=A,b=S,x=j,F(P)})}}function $f(e,t){let n=ni(t);return(o,l,i,s,u)=>l.
map(f=>n(e(f)))}function Fr(e,t,n){return new Date(e,t,n)}function fa(e,t){return t(e)}var Hf="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function pa(e,t){return(n,o,l,i)=>i==
null?Zr:t(e(o))}function If(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.width?n.points.stroke(e,t):null}function Nf(e,t){return e.series[t].fill(
e,t)}var Vf={show:!0,live:!0,isolate:!1,mount:rf,markers:{show:!0,width:2,stroke:If,fill:Nf,dash:"solid"},idx:null,idxs:null,values:[]};function Uf(e,t){let n=e.
cursor.points,o=xt(),l=n.size(e,t);be(o,Eo,l),be(o,Mo,l);let i=l/-2;be(o,"marginLeft",i),be(o,"marginTop",i);let s=n.width(e,t,l);return s&&be(o,"borderWidth",s),
o}function Wf(e,t){let n=e.series[t].points;return n._fill||n._stroke}function qf(e,t){let n=e.series[t].points;return n._stroke||n._fill}function Gf(e,t){return e.
series[t].points.size}var $r=[0,0];function Bf(e,t,n){return $r[0]=t,$r[1]=n,$r}function xl(e,t,n,o=!0){return l=>{l.button==0&&(!o||l.target==t)&&n(l)}}function Hr(e,t,n,o=!0){
return l=>{(!o||l.target==t)&&n(l)}}var Kf={show:!0,x:!0,y:!0,lock:!1,move:Bf,points:{one:!1,show:Uf,size:Gf,width:0,stroke:qf,fill:Wf},bind:{mousedown:xl,mouseup:xl,
click:xl,dblclick:xl,mousemove:Hr,mouseleave:Hr,mouseenter:Hr},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},
_x:!1,_y:!1},focus:{dist:(e,t,n,o,l)=>o-l,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},Ba={
show:!0,stroke:"rgba(0,0,0,0.07)",width:2},li=Le({},Ba,{filter:La}),Ka=Le({},li,{size:10}),ja=Le({},Ba,{show:!1}),ri='12px system-ui, -apple-system, "Segoe UI",\
 Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Ya="bold "+ri,Za=1.5,da={
show:!0,scale:"x",stroke:Yr,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Ya,side:2,grid:li,ticks:Ka,border:ja,font:ri,lineGap:Za,rotate:0},
jf="Value",Yf="Time",ma={show:!0,scale:"x",auto:!1,sorted:1,min:de,max:-de,idxs:[]};function Zf(e,t,n,o,l){return t.map(i=>i==null?"":ei(i))}function Jf(e,t,n,o,l,i,s){
let u=[],f=tn.get(l)||0;n=s?n:me(Tl(n,l),f);for(let m=n;m<=o;m=me(m+l,f))u.push(Object.is(m,-0)?0:m);return u}function qr(e,t,n,o,l,i,s){let u=[],f=e.scales[e.axes[t].
scale].log,m=f==10?Ut:Ea,g=ut(m(n));l=Yn(f,g),f==10&&(l=vn[Pt(l,vn)]);let h=n,b=l*f;f==10&&(b=vn[Pt(b,vn)]);do u.push(h),h=h+l,f==10&&!tn.has(h)&&(h=me(h,tn.get(
l))),h>=b&&(l=h,b=l*f,f==10&&(b=vn[Pt(b,vn)]));while(h<=o);return u}function Qf(e,t,n,o,l,i,s){let f=e.scales[e.axes[t].scale].asinh,m=o>f?qr(e,t,Qe(f,n),o,l):[
f],g=o>=0&&n<=0?[0]:[];return(n<-f?qr(e,t,Qe(f,-o),-n,l):[f]).reverse().map(b=>-b).concat(g,m)}var Ja=/./,Xf=/[12357]/,ep=/[125]/,ha=/1/,Gr=(e,t,n,o)=>e.map((l,i)=>t==
4&&l==0||i%o==0&&n.test(l.toExponential()[l<0?1:0])?l:null);function tp(e,t,n,o,l){let i=e.axes[n],s=i.scale,u=e.scales[s],f=e.valToPos,m=i._space,g=f(10,s),h=f(
9,s)-g>=m?Ja:f(7,s)-g>=m?Xf:f(5,s)-g>=m?ep:ha;if(h==ha){let b=Fe(f(1,s)-g);if(b<m)return Gr(t.slice().reverse(),u.distr,h,bt(m/b)).reverse()}return Gr(t,u.distr,
h,1)}function np(e,t,n,o,l){let i=e.axes[n],s=i.scale,u=i._space,f=e.valToPos,m=Fe(f(1,s)-f(2,s));return m<u?Gr(t.slice().reverse(),3,Ja,bt(u/m)).reverse():t}function op(e,t,n,o){
return o==null?Zr:t==null?"":ei(t)}var ga={show:!0,scale:"y",stroke:Yr,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Ya,side:3,grid:li,ticks:Ka,
border:ja,font:ri,lineGap:Za,rotate:0};function lp(e,t){let n=3+(e||1)*2;return me(n*t,3)}function rp(e,t){let{scale:n,idxs:o}=e.series[0],l=e._data[0],i=e.valToPos(
l[o[0]],n,!0),s=e.valToPos(l[o[1]],n,!0),u=Fe(s-i),f=e.series[t],m=u/(f.points.space*se);return o[1]-o[0]<=m}var _a={scale:null,auto:!0,sorted:0,min:de,max:-de},
Qa=(e,t,n,o,l)=>l,xa={show:!0,auto:!0,sorted:0,gaps:Qa,alpha:1,facets:[Le({},_a,{scale:"x"}),Le({},_a,{scale:"y"})]},ba={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,
gaps:Qa,alpha:1,points:{show:rp,filter:null},values:null,min:de,max:-de,idxs:[],path:null,clip:null};function ip(e,t,n,o,l){return n/10}var Xa={time:!0,auto:!0,
distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},sp=Le({},Xa,{time:!1,ori:1}),va={};function eu(e,t){let n=va[e];return n||(n={key:e,plots:[],sub(o){n.plots.
push(o)},unsub(o){n.plots=n.plots.filter(l=>l!=o)},pub(o,l,i,s,u,f,m){for(let g=0;g<n.plots.length;g++)n.plots[g]!=l&&n.plots[g].pub(o,l,i,s,u,f,m)}},e!=null&&(va[e]=
n)),n}var Qn=1,Br=2;function Sn(e,t,n){let o=e.mode,l=e.series[t],i=o==2?e._data[t]:e._data,s=e.scales,u=e.bbox,f=i[0],m=o==2?i[1]:i[t],g=o==2?s[l.facets[0].scale]:
s[e.series[0].scale],h=o==2?s[l.facets[1].scale]:s[l.scale],b=u.left,x=u.top,k=u.width,P=u.height,E=e.valToPosH,M=e.valToPosV;return g.ori==0?n(l,f,m,g,h,E,M,b,
x,k,P,Cl,eo,Ml,nu,lu):n(l,f,m,g,h,M,E,x,b,P,k,El,to,ai,ou,ru)}function ii(e,t){let n=0,o=0,l=re(e.bands,ti);for(let i=0;i<l.length;i++){let s=l[i];s.series[0]==
t?n=s.dir:s.series[1]==t&&(s.dir==1?o|=1:o|=2)}return[n,o==1?-1:o==2?1:o==3?2:0]}function ap(e,t,n,o,l){let i=e.mode,s=e.series[t],u=i==2?s.facets[1].scale:s.scale,
f=e.scales[u];return l==-1?f.min:l==1?f.max:f.distr==3?f.dir==1?f.min:f.max:0}function Wt(e,t,n,o,l,i){return Sn(e,t,(s,u,f,m,g,h,b,x,k,P,E)=>{let M=s.pxRound,w=m.
dir*(m.ori==0?1:-1),A=m.ori==0?eo:to,S,j;w==1?(S=n,j=o):(S=o,j=n);let F=M(h(u[S],m,P,x)),Y=M(b(f[S],g,E,k)),W=M(h(u[j],m,P,x)),J=M(b(i==1?g.max:g.min,g,E,k)),U=new Path2D(
l);return A(U,W,J),A(U,F,J),A(U,F,Y),U})}function Dl(e,t,n,o,l,i){let s=null;if(e.length>0){s=new Path2D;let u=t==0?Ml:ai,f=n;for(let h=0;h<e.length;h++){let b=e[h];
if(b[1]>b[0]){let x=b[0]-f;x>0&&u(s,f,o,x,o+i),f=b[1]}}let m=n+l-f,g=10;m>0&&u(s,f,o-g/2,m,o+i+g)}return s}function up(e,t,n){let o=e[e.length-1];o&&o[0]==t?o[1]=
n:e.push([t,n])}function si(e,t,n,o,l,i,s){let u=[],f=e.length;for(let m=l==1?n:o;m>=n&&m<=o;m+=l)if(t[m]===null){let h=m,b=m;if(l==1)for(;++m<=o&&t[m]===null;)
b=m;else for(;--m>=n&&t[m]===null;)b=m;let x=i(e[h]),k=b==h?x:i(e[b]),P=h-l;x=s<=0&&P>=0&&P<f?i(e[P]):x;let M=b+l;k=s>=0&&M>=0&&M<f?i(e[M]):k,k>=x&&u.push([x,k])}
return u}function wa(e){return e==0?Aa:e==1?ze:t=>bn(t,e)}function tu(e){let t=e==0?Cl:El,n=e==0?(l,i,s,u,f,m)=>{l.arcTo(i,s,u,f,m)}:(l,i,s,u,f,m)=>{l.arcTo(s,i,
f,u,m)},o=e==0?(l,i,s,u,f)=>{l.rect(i,s,u,f)}:(l,i,s,u,f)=>{l.rect(s,i,f,u)};return(l,i,s,u,f,m=0,g=0)=>{m==0&&g==0?o(l,i,s,u,f):(m=Dt(m,u/2,f/2),g=Dt(g,u/2,f/2),
t(l,i+m,s),n(l,i+u,s,i+u,s+f,m),n(l,i+u,s+f,i,s+f,g),n(l,i,s+f,i,s,g),n(l,i,s,i+u,s,m),l.closePath())}}var Cl=(e,t,n)=>{e.moveTo(t,n)},El=(e,t,n)=>{e.moveTo(n,t)},
eo=(e,t,n)=>{e.lineTo(t,n)},to=(e,t,n)=>{e.lineTo(n,t)},Ml=tu(0),ai=tu(1),nu=(e,t,n,o,l,i)=>{e.arc(t,n,o,l,i)},ou=(e,t,n,o,l,i)=>{e.arc(n,t,o,l,i)},lu=(e,t,n,o,l,i,s)=>{
e.bezierCurveTo(t,n,o,l,i,s)},ru=(e,t,n,o,l,i,s)=>{e.bezierCurveTo(n,t,l,o,s,i)};function iu(e){return(t,n,o,l,i)=>Sn(t,n,(s,u,f,m,g,h,b,x,k,P,E)=>{let{pxRound:M,
points:w}=s,A,S;m.ori==0?(A=Cl,S=nu):(A=El,S=ou);let j=me(w.width*se,3),F=(w.size-w.width)/2*se,Y=me(F*2,3),W=new Path2D,J=new Path2D,{left:U,top:C,width:q,height:R}=t.
bbox;Ml(J,U-Y,C-Y,q+Y*2,R+Y*2);let B=V=>{if(f[V]!=null){let te=M(h(u[V],m,P,x)),N=M(b(f[V],g,E,k));A(W,te+F,N),S(W,te,N,F,0,bl*2)}};if(i)i.forEach(B);else for(let V=o;V<=
l;V++)B(V);return{stroke:j>0?W:null,fill:W,clip:J,flags:Qn|Br}})}function su(e){return(t,n,o,l,i,s)=>{o!=l&&(i!=o&&s!=o&&e(t,n,o),i!=l&&s!=l&&e(t,n,l),e(t,n,s))}}
var cp=su(eo),fp=su(to);function au(e){let t=re(e?.alignGaps,0);return(n,o,l,i)=>Sn(n,o,(s,u,f,m,g,h,b,x,k,P,E)=>{[l,i]=kl(f,l,i);let M=s.pxRound,w=R=>M(h(R,m,P,
x)),A=R=>M(b(R,g,E,k)),S,j;m.ori==0?(S=eo,j=cp):(S=to,j=fp);let F=m.dir*(m.ori==0?1:-1),Y={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Qn},W=Y.
stroke,J=!1;if(i-l>=P*4){let R=H=>n.posToVal(H,m.key,!0),B=null,V=null,te,N,Xe,ve=w(u[F==1?l:i]),ne=w(u[l]),fe=w(u[i]),Q=R(F==1?ne+1:fe-1);for(let H=F==1?l:i;H>=
l&&H<=i;H+=F){let Re=u[H],we=(F==1?Re<Q:Re>Q)?ve:w(Re),ae=f[H];we==ve?ae!=null?(N=ae,B==null?(S(W,we,A(N)),te=B=V=N):N<B?B=N:N>V&&(V=N)):ae===null&&(J=!0):(B!=null&&
j(W,ve,A(B),A(V),A(te),A(N)),ae!=null?(N=ae,S(W,we,A(N)),B=V=te=N):(B=V=null,ae===null&&(J=!0)),ve=we,Q=R(ve+F))}B!=null&&B!=V&&Xe!=ve&&j(W,ve,A(B),A(V),A(te),A(
N))}else for(let R=F==1?l:i;R>=l&&R<=i;R+=F){let B=f[R];B===null?J=!0:B!=null&&S(W,w(u[R]),A(B))}let[C,q]=ii(n,o);if(s.fill!=null||C!=0){let R=Y.fill=new Path2D(
W),B=s.fillTo(n,o,s.min,s.max,C),V=A(B),te=w(u[l]),N=w(u[i]);F==-1&&([N,te]=[te,N]),S(R,N,V),S(R,te,V)}if(!s.spanGaps){let R=[];J&&R.push(...si(u,f,l,i,F,w,t)),
Y.gaps=R=s.gaps(n,o,l,i,R),Y.clip=Dl(R,m.ori,x,k,P,E)}return q!=0&&(Y.band=q==2?[Wt(n,o,l,i,W,-1),Wt(n,o,l,i,W,1)]:Wt(n,o,l,i,W,q)),Y})}function pp(e){let t=re(
e.align,1),n=re(e.ascDesc,!1),o=re(e.alignGaps,0),l=re(e.extend,!1);return(i,s,u,f)=>Sn(i,s,(m,g,h,b,x,k,P,E,M,w,A)=>{[u,f]=kl(h,u,f);let S=m.pxRound,{left:j,width:F}=i.
bbox,Y=ne=>S(k(ne,b,w,E)),W=ne=>S(P(ne,x,A,M)),J=b.ori==0?eo:to,U={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Qn},C=U.stroke,q=b.dir*(b.ori==
0?1:-1),R=W(h[q==1?u:f]),B=Y(g[q==1?u:f]),V=B,te=B;l&&t==-1&&(te=j,J(C,te,R)),J(C,B,R);for(let ne=q==1?u:f;ne>=u&&ne<=f;ne+=q){let fe=h[ne];if(fe==null)continue;
let Q=Y(g[ne]),H=W(fe);t==1?J(C,Q,R):J(C,V,H),J(C,Q,H),R=H,V=Q}let N=V;l&&t==1&&(N=j+F,J(C,N,R));let[Xe,ve]=ii(i,s);if(m.fill!=null||Xe!=0){let ne=U.fill=new Path2D(
C),fe=m.fillTo(i,s,m.min,m.max,Xe),Q=W(fe);J(ne,N,Q),J(ne,te,Q)}if(!m.spanGaps){let ne=[];ne.push(...si(g,h,u,f,q,Y,o));let fe=m.width*se/2,Q=n||t==1?fe:-fe,H=n||
t==-1?-fe:fe;ne.forEach(Re=>{Re[0]+=Q,Re[1]+=H}),U.gaps=ne=m.gaps(i,s,u,f,ne),U.clip=Dl(ne,b.ori,E,M,w,A)}return ve!=0&&(U.band=ve==2?[Wt(i,s,u,f,C,-1),Wt(i,s,u,
f,C,1)]:Wt(i,s,u,f,C,ve)),U})}function ya(e,t,n,o,l,i,s=de){if(e.length>1){let u=null;for(let f=0,m=1/0;f<e.length;f++)if(t[f]!==void 0){if(u!=null){let g=Fe(e[f]-
e[u]);g<m&&(m=g,s=Fe(n(e[f],o,l,i)-n(e[u],o,l,i)))}u=f}}return s}function dp(e){e=e||Ro;let t=re(e.size,[.6,de,1]),n=e.align||0,o=e.gap||0,l=e.radius;l=l==null?
[0,0]:typeof l=="number"?[l,0]:l;let i=ee(l),s=1-t[0],u=re(t[1],de),f=re(t[2],1),m=re(e.disp,Ro),g=re(e.each,x=>{}),{fill:h,stroke:b}=m;return(x,k,P,E)=>Sn(x,k,
(M,w,A,S,j,F,Y,W,J,U,C)=>{let q=M.pxRound,R=n,B=o*se,V=u*se,te=f*se,N,Xe;S.ori==0?[N,Xe]=i(x,k):[Xe,N]=i(x,k);let ve=S.dir*(S.ori==0?1:-1),ne=S.ori==0?Ml:ai,fe=S.
ori==0?g:(z,he,Oe,En,ln,Et,rn)=>{g(z,he,Oe,ln,En,rn,Et)},Q=re(x.bands,ti).find(z=>z.series[0]==k),H=Q!=null?Q.dir:0,Re=M.fillTo(x,k,M.min,M.max,H),Ke=q(Y(Re,j,C,
J)),we,ae,vt,ot=U,ke=q(M.width*se),Ct=!1,Ht=null,ft=null,qt=null,Pn=null;h!=null&&(ke==0||b!=null)&&(Ct=!0,Ht=h.values(x,k,P,E),ft=new Map,new Set(Ht).forEach(z=>{
z!=null&&ft.set(z,new Path2D)}),ke>0&&(qt=b.values(x,k,P,E),Pn=new Map,new Set(qt).forEach(z=>{z!=null&&Pn.set(z,new Path2D)})));let{x0:Dn,size:lo}=m;if(Dn!=null&&
lo!=null){R=1,w=Dn.values(x,k,P,E),Dn.unit==2&&(w=w.map(Oe=>x.posToVal(W+Oe*U,S.key,!0)));let z=lo.values(x,k,P,E);lo.unit==2?ae=z[0]*U:ae=F(z[0],S,U,W)-F(0,S,U,
W),ot=ya(w,A,F,S,U,W,ot),vt=ot-ae+B}else ot=ya(w,A,F,S,U,W,ot),vt=ot*s+B,ae=ot-vt;vt<1&&(vt=0),ke>=ae/2&&(ke=0),vt<5&&(q=Aa);let $o=vt>0,nn=ot-vt-($o?ke:0);ae=q(
Wr(nn,te,V)),we=(R==0?ae/2:R==ve?0:ae)-R*ve*((R==0?B/2:0)+($o?ke/2:0));let je={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},Cn=Ct?null:new Path2D,
It=null;if(Q!=null)It=x.data[Q.series[1]];else{let{y0:z,y1:he}=m;z!=null&&he!=null&&(A=he.values(x,k,P,E),It=z.values(x,k,P,E))}let on=N*ae,Z=Xe*ae;for(let z=ve==
1?P:E;z>=P&&z<=E;z+=ve){let he=A[z];if(he==null)continue;if(It!=null){let et=It[z]??0;if(he-et==0)continue;Ke=Y(et,j,C,J)}let Oe=S.distr!=2||m!=null?w[z]:z,En=F(
Oe,S,U,W),ln=Y(re(he,Re),j,C,J),Et=q(En-we),rn=q(Qe(ln,Ke)),lt=q(Dt(ln,Ke)),pt=rn-lt;if(he!=null){let et=he<0?Z:on,wt=he<0?on:Z;Ct?(ke>0&&qt[z]!=null&&ne(Pn.get(
qt[z]),Et,lt+ut(ke/2),ae,Qe(0,pt-ke),et,wt),Ht[z]!=null&&ne(ft.get(Ht[z]),Et,lt+ut(ke/2),ae,Qe(0,pt-ke),et,wt)):ne(Cn,Et,lt+ut(ke/2),ae,Qe(0,pt-ke),et,wt),fe(x,
k,z,Et-ke/2,lt,ae+ke,pt)}}return ke>0?je.stroke=Ct?Pn:Cn:Ct||(je._fill=M.width==0?M._fill:M._stroke??M._fill,je.width=0),je.fill=Ct?ft:Cn,je})}function mp(e,t){
let n=re(t?.alignGaps,0);return(o,l,i,s)=>Sn(o,l,(u,f,m,g,h,b,x,k,P,E,M)=>{[i,s]=kl(m,i,s);let w=u.pxRound,A=N=>w(b(N,g,E,k)),S=N=>w(x(N,h,M,P)),j,F,Y;g.ori==0?
(j=Cl,Y=eo,F=lu):(j=El,Y=to,F=ru);let W=g.dir*(g.ori==0?1:-1),J=A(f[W==1?i:s]),U=J,C=[],q=[];for(let N=W==1?i:s;N>=i&&N<=s;N+=W)if(m[N]!=null){let ve=f[N],ne=A(
ve);C.push(U=ne),q.push(S(m[N]))}let R={stroke:e(C,q,j,Y,F,w),fill:null,clip:null,band:null,gaps:null,flags:Qn},B=R.stroke,[V,te]=ii(o,l);if(u.fill!=null||V!=0){
let N=R.fill=new Path2D(B),Xe=u.fillTo(o,l,u.min,u.max,V),ve=S(Xe);Y(N,U,ve),Y(N,J,ve)}if(!u.spanGaps){let N=[];N.push(...si(f,m,i,s,W,A,n)),R.gaps=N=u.gaps(o,l,
i,s,N),R.clip=Dl(N,g.ori,k,P,E,M)}return te!=0&&(R.band=te==2?[Wt(o,l,i,s,B,-1),Wt(o,l,i,s,B,1)]:Wt(o,l,i,s,B,te)),R})}function hp(e){return mp(gp,e)}function gp(e,t,n,o,l,i){
let s=e.length;if(s<2)return null;let u=new Path2D;if(n(u,e[0],t[0]),s==2)o(u,e[1],t[1]);else{let f=Array(s),m=Array(s-1),g=Array(s-1),h=Array(s-1);for(let b=0;b<
s-1;b++)g[b]=t[b+1]-t[b],h[b]=e[b+1]-e[b],m[b]=g[b]/h[b];f[0]=m[0];for(let b=1;b<s-1;b++)m[b]===0||m[b-1]===0||m[b-1]>0!=m[b]>0?f[b]=0:(f[b]=3*(h[b-1]+h[b])/((2*
h[b]+h[b-1])/m[b-1]+(h[b]+2*h[b-1])/m[b]),isFinite(f[b])||(f[b]=0));f[s-1]=m[s-2];for(let b=0;b<s-1;b++)l(u,e[b]+h[b]/3,t[b]+f[b]*h[b]/3,e[b+1]-h[b]/3,t[b+1]-f[b+
1]*h[b]/3,e[b+1],t[b+1])}return u}var Kr=new Set;function ka(){for(let e of Kr)e.syncRect(!0)}Xn&&(yn(Yc,jn,ka),yn(Zc,jn,ka,!0),yn(vl,jn,()=>{$e.pxRatio=se}));var _p=au(),
xp=iu();function Sa(e,t,n,o){return(o?[e[0],e[1]].concat(e.slice(2)):[e[0]].concat(e.slice(1))).map((i,s)=>jr(i,s,t,n))}function bp(e,t){return e.map((n,o)=>o==
0?{}:Le({},t,n))}function jr(e,t,n,o){return Le({},t==0?n:o,e)}function uu(e,t,n){return t==null?Zn:[t,n]}var vp=uu;function wp(e,t,n){return t==null?Zn:wl(t,n,
Xr,!0)}function cu(e,t,n,o){return t==null?Zn:Sl(t,n,e.scales[o].log,!1)}var yp=cu;function fu(e,t,n,o){return t==null?Zn:Qr(t,n,e.scales[o].log,!1)}var kp=fu;function Sp(e,t,n,o,l){
let i=Qe(na(e),na(t)),s=t-e,u=Pt(l/o*s,n);do{let f=n[u],m=o*f/s;if(m>=l&&i+(f<5?tn.get(f):0)<=17)return[f,m]}while(++u<n.length);return[0,0]}function Ta(e){let t,
n;return e=e.replace(/(\d+)px/,(o,l)=>(t=ze((n=+l)*se))+"px"),[e,t,n]}function Tp(e){e.show&&[e.font,e.labelFont].forEach(t=>{let n=me(t[2]*se,1);t[0]=t[0].replace(
/[0-9.]+px/,n+"px"),t[1]=n})}function $e(e,t,n){let o={mode:re(e.mode,1)},l=o.mode;function i(r,a,c,p){let _=a.valToPct(r);return p+c*(a.dir==-1?1-_:_)}function s(r,a,c,p){
let _=a.valToPct(r);return p+c*(a.dir==-1?_:1-_)}function u(r,a,c,p){return a.ori==0?i(r,a,c,p):s(r,a,c,p)}o.valToPosH=i,o.valToPosV=s;let f=!1;o.status=0;let m=o.
root=xt(Ac);if(e.id!=null&&(m.id=e.id),at(m,e.class),e.title){let r=xt(Oc,m);r.textContent=e.title}let g=Tt("canvas"),h=o.ctx=g.getContext("2d"),b=xt(zc,m);yn("\
click",b,r=>{r.target===k&&(ge!=Nn||ye!=Vn)&&Ge.click(o,r)},!0);let x=o.under=xt(Fc,b);b.appendChild(g);let k=o.over=xt($c,b);e=Jn(e);let P=+re(e.pxAlign,1),E=wa(
P);(e.plugins||[]).forEach(r=>{r.opts&&(e=r.opts(o,e)||e)});let M=e.ms||.001,w=o.series=l==1?Sa(e.series||[],ma,ba,!1):bp(e.series||[null],xa),A=o.axes=Sa(e.axes||
[],da,ga,!0),S=o.scales={},j=o.bands=e.bands||[];j.forEach(r=>{r.fill=ee(r.fill||null),r.dir=re(r.dir,-1)});let F=l==2?w[1].facets[0].scale:w[0].scale,Y={axes:Iu,
series:Ou},W=(e.drawOrder||["axes","series"]).map(r=>Y[r]);function J(r){let a=r.distr==3?c=>Ut(c>0?c:r.clamp(o,c,r.min,r.max,r.key)):r.distr==4?c=>zr(c,r.asinh):
r.distr==100?c=>r.fwd(c):c=>c;return c=>{let p=a(c),{_min:_,_max:v}=r,y=v-_;return(p-_)/y}}function U(r){let a=S[r];if(a==null){let c=(e.scales||Ro)[r]||Ro;if(c.
from!=null){U(c.from);let p=Le({},S[c.from],c,{key:r});p.valToPct=J(p),S[r]=p}else{a=S[r]=Le({},r==F?Xa:sp,c),a.key=r;let p=a.time,_=a.range,v=en(_);if((r!=F||l==
2&&!p)&&(v&&(_[0]==null||_[1]==null)&&(_={min:_[0]==null?Xs:{mode:1,hard:_[0],soft:_[0]},max:_[1]==null?Xs:{mode:1,hard:_[1],soft:_[1]}},v=!1),!v&&Pl(_))){let y=_;
_=(T,D,L)=>D==null?Zn:wl(D,L,y)}a.range=ee(_||(p?vp:r==F?a.distr==3?yp:a.distr==4?kp:uu:a.distr==3?cu:a.distr==4?fu:wp)),a.auto=ee(v?!1:a.auto),a.clamp=ee(a.clamp||
ip),a._min=a._max=null,a.valToPct=J(a)}}}U("x"),U("y"),l==1&&w.forEach(r=>{U(r.scale)}),A.forEach(r=>{U(r.scale)});for(let r in e.scales)U(r);let C=S[F],q=C.distr,
R,B;C.ori==0?(at(m,Lc),R=i,B=s):(at(m,Rc),R=s,B=i);let V={};for(let r in S){let a=S[r];(a.min!=null||a.max!=null)&&(V[r]={min:a.min,max:a.max},a.min=a.max=null)}
let te=e.tzDate||(r=>new Date(ze(r/M))),N=e.fmtDate||ni,Xe=M==1?Rf(te):Ff(te),ve=ca(te,ua(M==1?Lf:zf,N)),ne=pa(te,fa(Hf,N)),fe=[],Q=o.legend=Le({},Vf,e.legend),
H=o.cursor=Le({},Kf,{drag:{y:l==2}},e.cursor),Re=Q.show,Ke=H.show,we=Q.markers;Q.idxs=fe,we.width=ee(we.width),we.dash=ee(we.dash),we.stroke=ee(we.stroke),we.fill=
ee(we.fill);let ae,vt,ot,ke=[],Ct=[],Ht,ft=!1,qt={};if(Q.live){let r=w[1]?w[1].values:null;ft=r!=null,Ht=ft?r(o,1,0):{_:0};for(let a in Ht)qt[a]=Zr}if(Re)if(ae=
Tt("table",Wc,m),ot=Tt("tbody",null,ae),Q.mount(o,ae),ft){vt=Tt("thead",null,ae,ot);let r=Tt("tr",null,vt);Tt("th",null,r);for(var Pn in Ht)Tt("th",Ns,r).textContent=
Pn}else at(ae,Gc),Q.live&&at(ae,qc);let Dn={show:!0},lo={show:!1};function $o(r,a){if(a==0&&(ft||!Q.live||l==2))return Zn;let c=[],p=Tt("tr",Bc,ot,ot.childNodes[a]);
at(p,r.class),r.show||at(p,wn);let _=Tt("th",null,p);if(we.show){let T=xt(Kc,_);if(a>0){let D=we.width(o,a);D&&(T.style.border=D+"px "+we.dash(o,a)+" "+we.stroke(
o,a)),T.style.background=we.fill(o,a)}}let v=xt(Ns,_);r.label instanceof HTMLElement?v.appendChild(r.label):v.textContent=r.label,a>0&&(we.show||(v.style.color=
r.width>0?we.stroke(o,a):we.fill(o,a)),je("click",_,T=>{if(H._lock)return;an(T);let D=w.indexOf(r);if((T.ctrlKey||T.metaKey)!=Q.isolate){let L=w.some((O,$)=>$>0&&
$!=D&&O.show);w.forEach((O,$)=>{$>0&&At($,L?$==D?Dn:lo:Dn,!0,Ce.setSeries)})}else At(D,{show:!r.show},!0,Ce.setSeries)},!1),An&&je(qs,_,T=>{H._lock||(an(T),At(w.
indexOf(r),Wn,!0,Ce.setSeries))},!1));for(var y in Ht){let T=Tt("td",jc,p);T.textContent="--",c.push(T)}return[p,c]}let nn=new Map;function je(r,a,c,p=!0){let _=nn.
get(a)||{},v=H.bind[r](o,a,c,p);v&&(yn(r,a,_[r]=v),nn.set(a,_))}function Cn(r,a,c){let p=nn.get(a)||{};for(let _ in p)(r==null||_==r)&&(Ur(_,a,p[_]),delete p[_]);
r==null&&nn.delete(a)}let It=0,on=0,Z=0,z=0,he=0,Oe=0,En=he,ln=Oe,Et=Z,rn=z,lt=0,pt=0,et=0,wt=0;o.bbox={};let Ol=!1,Ho=!1,Mn=!1,sn=!1,Io=!1,dt=!1;function zl(r,a,c){
(c||r!=o.width||a!=o.height)&&pi(r,a),Fn(!1),Mn=!0,Ho=!0,$n()}function pi(r,a){o.width=It=Z=r,o.height=on=z=a,he=Oe=0,Du(),Cu();let c=o.bbox;lt=c.left=bn(he*se,
.5),pt=c.top=bn(Oe*se,.5),et=c.width=bn(Z*se,.5),wt=c.height=bn(z*se,.5)}let Su=3;function Tu(){let r=!1,a=0;for(;!r;){a++;let c=$u(a),p=Hu(a);r=a==Su||c&&p,r||
(pi(o.width,o.height),Ho=!0)}}function Pu({width:r,height:a}){zl(r,a)}o.setSize=Pu;function Du(){let r=!1,a=!1,c=!1,p=!1;A.forEach((_,v)=>{if(_.show&&_._show){let{
side:y,_size:T}=_,D=y%2,L=_.label!=null?_.labelSize:0,O=T+L;O>0&&(D?(Z-=O,y==3?(he+=O,p=!0):c=!0):(z-=O,y==0?(Oe+=O,r=!0):a=!0))}}),un[0]=r,un[1]=c,un[2]=a,un[3]=
p,Z-=Gt[1]+Gt[3],he+=Gt[3],z-=Gt[2]+Gt[0],Oe+=Gt[0]}function Cu(){let r=he+Z,a=Oe+z,c=he,p=Oe;function _(v,y){switch(v){case 1:return r+=y,r-y;case 2:return a+=
y,a-y;case 3:return c-=y,c+y;case 0:return p-=y,p+y}}A.forEach((v,y)=>{if(v.show&&v._show){let T=v.side;v._pos=_(T,v._size),v.label!=null&&(v._lpos=_(T,v.labelSize))}})}
if(H.dataIdx==null){let r=H.hover,a=r.skip=new Set(r.skip??[]);a.add(void 0);let c=r.prox=ee(r.prox),p=r.bias??=0;H.dataIdx=(_,v,y,T)=>{if(v==0)return y;let D=y,
L=c(_,v,y,T)??de,O=L>=0&&L<de,$=C.ori==0?Z:z,K=H.left,ie=t[0],oe=t[v];if(a.has(oe[y])){D=null;let X=null,G=null,I;if(p==0||p==-1)for(I=y;X==null&&I-- >0;)a.has(
oe[I])||(X=I);if(p==0||p==1)for(I=y;G==null&&I++<oe.length;)a.has(oe[I])||(G=I);if(X!=null||G!=null)if(O){let xe=X==null?-1/0:R(ie[X],C,$,0),Se=G==null?1/0:R(ie[G],
C,$,0),We=K-xe,pe=Se-K;We<=pe?We<=L&&(D=X):pe<=L&&(D=G)}else D=G==null?X:X==null?G:y-X<=G-y?X:G}else O&&Fe(K-R(ie[y],C,$,0))>L&&(D=null);return D}}let an=r=>{H.
event=r};H.idxs=fe,H._lock=!1;let Be=H.points;Be.show=ee(Be.show),Be.size=ee(Be.size),Be.stroke=ee(Be.stroke),Be.width=ee(Be.width),Be.fill=ee(Be.fill);let Mt=o.
focus=Le({},e.focus||{alpha:.3},H.focus),An=Mt.prox>=0,Ln=An&&Be.one,mt=[],Rn=[],On=[];function di(r,a){let c=Be.show(o,a);if(c instanceof HTMLElement)return at(
c,Uc),at(c,r.class),Ft(c,-10,-10,Z,z),k.insertBefore(c,mt[a]),c}function mi(r,a){if(l==1||a>0){let c=l==1&&S[r.scale].time,p=r.value;r.value=c?ra(p)?pa(te,fa(p,
N)):p||ne:p||op,r.label=r.label||(c?Yf:jf)}if(Ln||a>0){r.width=r.width==null?1:r.width,r.paths=r.paths||_p||sf,r.fillTo=ee(r.fillTo||ap),r.pxAlign=+re(r.pxAlign,
P),r.pxRound=wa(r.pxAlign),r.stroke=ee(r.stroke||null),r.fill=ee(r.fill||null),r._stroke=r._fill=r._paths=r._focus=null;let c=lp(Qe(1,r.width),1),p=r.points=Le(
{},{size:c,width:Qe(1,c*.2),stroke:r.stroke,space:c*2,paths:xp,_stroke:null,_fill:null},r.points);p.show=ee(p.show),p.filter=ee(p.filter),p.fill=ee(p.fill),p.stroke=
ee(p.stroke),p.paths=ee(p.paths),p.pxAlign=r.pxAlign}if(Re){let c=$o(r,a);ke.splice(a,0,c[0]),Ct.splice(a,0,c[1]),Q.values.push(null)}if(Ke){fe.splice(a,0,null);
let c=null;Ln?a==0&&(c=di(r,a)):a>0&&(c=di(r,a)),mt.splice(a,0,c),Rn.splice(a,0,0),On.splice(a,0,0)}Ue("addSeries",a)}function Eu(r,a){a=a??w.length,r=l==1?jr(r,
a,ma,ba):jr(r,a,{},xa),w.splice(a,0,r),mi(w[a],a)}o.addSeries=Eu;function Mu(r){if(w.splice(r,1),Re){Q.values.splice(r,1),Ct.splice(r,1);let a=ke.splice(r,1)[0];
Cn(null,a.firstChild),a.remove()}Ke&&(fe.splice(r,1),mt.splice(r,1)[0].remove(),Rn.splice(r,1),On.splice(r,1)),Ue("delSeries",r)}o.delSeries=Mu;let un=[!1,!1,!1,
!1];function Au(r,a){if(r._show=r.show,r.show){let c=r.side%2,p=S[r.scale];p==null&&(r.scale=c?w[1].scale:F,p=S[r.scale]);let _=p.time;r.size=ee(r.size),r.space=
ee(r.space),r.rotate=ee(r.rotate),en(r.incrs)&&r.incrs.forEach(y=>{!tn.has(y)&&tn.set(y,Oa(y))}),r.incrs=ee(r.incrs||(p.distr==2?Ef:_?M==1?Af:Of:vn)),r.splits=ee(
r.splits||(_&&p.distr==1?Xe:p.distr==3?qr:p.distr==4?Qf:Jf)),r.stroke=ee(r.stroke),r.grid.stroke=ee(r.grid.stroke),r.ticks.stroke=ee(r.ticks.stroke),r.border.stroke=
ee(r.border.stroke);let v=r.values;r.values=en(v)&&!en(v[0])?ee(v):_?en(v)?ca(te,ua(v,N)):ra(v)?$f(te,v):v||ve:v||Zf,r.filter=ee(r.filter||(p.distr>=3&&p.log==10?
tp:p.distr==3&&p.log==2?np:La)),r.font=Ta(r.font),r.labelFont=Ta(r.labelFont),r._size=r.size(o,null,a,0),r._space=r._rotate=r._incrs=r._found=r._splits=r._values=
null,r._size>0&&(un[a]=!0,r._el=xt(Hc,b))}}function ro(r,a,c,p){let[_,v,y,T]=c,D=a%2,L=0;return D==0&&(T||v)&&(L=a==0&&!_||a==2&&!y?ze(da.size/3):0),D==1&&(_||y)&&
(L=a==1&&!v||a==3&&!T?ze(ga.size/2):0),L}let hi=o.padding=(e.padding||[ro,ro,ro,ro]).map(r=>ee(re(r,ro))),Gt=o._padding=hi.map((r,a)=>r(o,a,un,0)),qe,He=null,Ie=null,
No=l==1?w[0].idxs:null,yt=null,io=!1;function gi(r,a){if(t=r??[],o.data=o._data=t,l==2){qe=0;for(let c=1;c<w.length;c++)qe+=t[c][0].length}else{t.length==0&&(o.
data=o._data=t=[[]]),yt=t[0],qe=yt.length;let c=t;if(q==2){c=t.slice();let p=c[0]=Array(qe);for(let _=0;_<qe;_++)p[_]=_}o._data=t=c}if(Fn(!0),Ue("setData"),q==2&&
(Mn=!0),a!==!1){let c=C;c.auto(o,io)?Fl():Kt(F,c.min,c.max),sn=sn||H.left>=0,dt=!0,$n()}}o.setData=gi;function Fl(){io=!0;let r,a;l==1&&(qe>0?(He=No[0]=0,Ie=No[1]=
qe-1,r=t[0][He],a=t[0][Ie],q==2?(r=He,a=Ie):r==a&&(q==3?[r,a]=Sl(r,r,C.log,!1):q==4?[r,a]=Qr(r,r,C.log,!1):C.time?a=r+ze(86400/M):[r,a]=wl(r,a,Xr,!0))):(He=No[0]=
r=null,Ie=No[1]=a=null)),Kt(F,r,a)}let Vo,zn,$l,Hl,Il,Nl,Vl,Ul,Wl,tt;function _i(r,a,c,p,_,v){r??=Us,c??=ti,p??="butt",_??=Us,v??="round",r!=Vo&&(h.strokeStyle=
Vo=r),_!=zn&&(h.fillStyle=zn=_),a!=$l&&(h.lineWidth=$l=a),v!=Il&&(h.lineJoin=Il=v),p!=Nl&&(h.lineCap=Nl=p),c!=Hl&&h.setLineDash(Hl=c)}function xi(r,a,c,p){a!=zn&&
(h.fillStyle=zn=a),r!=Vl&&(h.font=Vl=r),c!=Ul&&(h.textAlign=Ul=c),p!=Wl&&(h.textBaseline=Wl=p)}function ql(r,a,c,p,_=0){if(p.length>0&&r.auto(o,io)&&(a==null||a.
min==null)){let v=re(He,0),y=re(Ie,p.length-1),T=c.min==null?ef(p,v,y,_,r.distr==3):[c.min,c.max];r.min=Dt(r.min,c.min=T[0]),r.max=Qe(r.max,c.max=T[1])}}let bi={
min:null,max:null};function Lu(){for(let p in S){let _=S[p];V[p]==null&&(_.min==null||V[F]!=null&&_.auto(o,io))&&(V[p]=bi)}for(let p in S){let _=S[p];V[p]==null&&
_.from!=null&&V[_.from]!=null&&(V[p]=bi)}V[F]!=null&&Fn(!0);let r={};for(let p in V){let _=V[p];if(_!=null){let v=r[p]=Jn(S[p],cf);if(_.min!=null)Le(v,_);else if(p!=
F||l==2)if(qe==0&&v.from==null){let y=v.range(o,null,null,p);v.min=y[0],v.max=y[1]}else v.min=de,v.max=-de}}if(qe>0){w.forEach((p,_)=>{if(l==1){let v=p.scale,y=V[v];
if(y==null)return;let T=r[v];if(_==0){let D=T.range(o,T.min,T.max,v);T.min=D[0],T.max=D[1],He=Pt(T.min,t[0]),Ie=Pt(T.max,t[0]),Ie-He>1&&(t[0][He]<T.min&&He++,t[0][Ie]>
T.max&&Ie--),p.min=yt[He],p.max=yt[Ie]}else p.show&&p.auto&&ql(T,y,p,t[_],p.sorted);p.idxs[0]=He,p.idxs[1]=Ie}else if(_>0&&p.show&&p.auto){let[v,y]=p.facets,T=v.
scale,D=y.scale,[L,O]=t[_],$=r[T],K=r[D];$!=null&&ql($,V[T],v,L,v.sorted),K!=null&&ql(K,V[D],y,O,y.sorted),p.min=y.min,p.max=y.max}});for(let p in r){let _=r[p],
v=V[p];if(_.from==null&&(v==null||v.min==null)){let y=_.range(o,_.min==de?null:_.min,_.max==-de?null:_.max,p);_.min=y[0],_.max=y[1]}}}for(let p in r){let _=r[p];
if(_.from!=null){let v=r[_.from];if(v.min==null)_.min=_.max=null;else{let y=_.range(o,v.min,v.max,p);_.min=y[0],_.max=y[1]}}}let a={},c=!1;for(let p in r){let _=r[p],
v=S[p];if(v.min!=_.min||v.max!=_.max){v.min=_.min,v.max=_.max;let y=v.distr;v._min=y==3?Ut(v.min):y==4?zr(v.min,v.asinh):y==100?v.fwd(v.min):v.min,v._max=y==3?Ut(
v.max):y==4?zr(v.max,v.asinh):y==100?v.fwd(v.max):v.max,a[p]=c=!0}}if(c){w.forEach((p,_)=>{l==2?_>0&&a.y&&(p._paths=null):a[p.scale]&&(p._paths=null)});for(let p in a)
Mn=!0,Ue("setScale",p);Ke&&H.left>=0&&(sn=dt=!0)}for(let p in V)V[p]=null}function Ru(r){let a=Wr(He-1,0,qe-1),c=Wr(Ie+1,0,qe-1);for(;r[a]==null&&a>0;)a--;for(;r[c]==
null&&c<qe-1;)c++;return[a,c]}function Ou(){if(qe>0){let r=w.some(a=>a._focus)&&tt!=Mt.alpha;r&&(h.globalAlpha=tt=Mt.alpha),w.forEach((a,c)=>{if(c>0&&a.show&&(vi(
c,!1),vi(c,!0),a._paths==null)){let p=tt;tt!=a.alpha&&(h.globalAlpha=tt=a.alpha);let _=l==2?[0,t[c][0].length-1]:Ru(t[c]);a._paths=a.paths(o,c,_[0],_[1]),tt!=p&&
(h.globalAlpha=tt=p)}}),w.forEach((a,c)=>{if(c>0&&a.show){let p=tt;tt!=a.alpha&&(h.globalAlpha=tt=a.alpha),a._paths!=null&&wi(c,!1);{let _=a._paths!=null?a._paths.
gaps:null,v=a.points.show(o,c,He,Ie,_),y=a.points.filter(o,c,v,_);(v||y)&&(a.points._paths=a.points.paths(o,c,He,Ie,y),wi(c,!0))}tt!=p&&(h.globalAlpha=tt=p),Ue(
"drawSeries",c)}}),r&&(h.globalAlpha=tt=1)}}function vi(r,a){let c=a?w[r].points:w[r];c._stroke=c.stroke(o,r),c._fill=c.fill(o,r)}function wi(r,a){let c=a?w[r].
points:w[r],{stroke:p,fill:_,clip:v,flags:y,_stroke:T=c._stroke,_fill:D=c._fill,_width:L=c.width}=c._paths;L=me(L*se,3);let O=null,$=L%2/2;a&&D==null&&(D=L>0?"#\
fff":T);let K=c.pxAlign==1&&$>0;if(K&&h.translate($,$),!a){let ie=lt-L/2,oe=pt-L/2,X=et+L,G=wt+L;O=new Path2D,O.rect(ie,oe,X,G)}a?Gl(T,L,c.dash,c.cap,D,p,_,y,v):
zu(r,T,L,c.dash,c.cap,D,p,_,y,O,v),K&&h.translate(-$,-$)}function zu(r,a,c,p,_,v,y,T,D,L,O){let $=!1;D!=0&&j.forEach((K,ie)=>{if(K.series[0]==r){let oe=w[K.series[1]],
X=t[K.series[1]],G=(oe._paths||Ro).band;en(G)&&(G=K.dir==1?G[0]:G[1]);let I,xe=null;oe.show&&G&&nf(X,He,Ie)?(xe=K.fill(o,ie)||v,I=oe._paths.clip):G=null,Gl(a,c,
p,_,xe,y,T,D,L,O,I,G),$=!0}}),$||Gl(a,c,p,_,v,y,T,D,L,O)}let yi=Qn|Br;function Gl(r,a,c,p,_,v,y,T,D,L,O,$){_i(r,a,c,p,_),(D||L||$)&&(h.save(),D&&h.clip(D),L&&h.
clip(L)),$?(T&yi)==yi?(h.clip($),O&&h.clip(O),Wo(_,y),Uo(r,v,a)):T&Br?(Wo(_,y),h.clip($),Uo(r,v,a)):T&Qn&&(h.save(),h.clip($),O&&h.clip(O),Wo(_,y),h.restore(),Uo(
r,v,a)):(Wo(_,y),Uo(r,v,a)),(D||L||$)&&h.restore()}function Uo(r,a,c){c>0&&(a instanceof Map?a.forEach((p,_)=>{h.strokeStyle=Vo=_,h.stroke(p)}):a!=null&&r&&h.stroke(
a))}function Wo(r,a){a instanceof Map?a.forEach((c,p)=>{h.fillStyle=zn=p,h.fill(c)}):a!=null&&r&&h.fill(a)}function Fu(r,a,c,p){let _=A[r],v;if(p<=0)v=[0,0];else{
let y=_._space=_.space(o,r,a,c,p),T=_._incrs=_.incrs(o,r,a,c,p,y);v=Sp(a,c,T,p,y)}return _._found=v}function Bl(r,a,c,p,_,v,y,T,D,L){let O=y%2/2;P==1&&h.translate(
O,O),_i(T,y,D,L,T),h.beginPath();let $,K,ie,oe,X=_+(p==0||p==3?-v:v);c==0?(K=_,oe=X):($=_,ie=X);for(let G=0;G<r.length;G++)a[G]!=null&&(c==0?$=ie=r[G]:K=oe=r[G],
h.moveTo($,K),h.lineTo(ie,oe));h.stroke(),P==1&&h.translate(-O,-O)}function $u(r){let a=!0;return A.forEach((c,p)=>{if(!c.show)return;let _=S[c.scale];if(_.min==
null){c._show&&(a=!1,c._show=!1,Fn(!1));return}else c._show||(a=!1,c._show=!0,Fn(!1));let v=c.side,y=v%2,{min:T,max:D}=_,[L,O]=Fu(p,T,D,y==0?Z:z);if(O==0)return;
let $=_.distr==2,K=c._splits=c.splits(o,p,T,D,L,O,$),ie=_.distr==2?K.map(I=>yt[I]):K,oe=_.distr==2?yt[K[1]]-yt[K[0]]:L,X=c._values=c.values(o,c.filter(o,ie,p,O,
oe),p,O,oe);c._rotate=v==2?c.rotate(o,X,p,O):0;let G=c._size;c._size=bt(c.size(o,X,p,r)),G!=null&&c._size!=G&&(a=!1)}),a}function Hu(r){let a=!0;return hi.forEach(
(c,p)=>{let _=c(o,p,un,r);_!=Gt[p]&&(a=!1),Gt[p]=_}),a}function Iu(){for(let r=0;r<A.length;r++){let a=A[r];if(!a.show||!a._show)continue;let c=a.side,p=c%2,_,v,
y=a.stroke(o,r),T=c==0||c==3?-1:1,[D,L]=a._found;if(a.label!=null){let Ze=a.labelGap*T,st=ze((a._lpos+Ze)*se);xi(a.labelFont[0],y,"center",c==2?"top":Vs),h.save(),
p==1?(_=v=0,h.translate(st,ze(pt+wt/2)),h.rotate((c==3?-bl:bl)/2)):(_=ze(lt+et/2),v=st);let pn=Ma(a.label)?a.label(o,r,D,L):a.label;h.fillText(pn,_,v),h.restore()}
if(L==0)continue;let O=S[a.scale],$=p==0?et:wt,K=p==0?lt:pt,ie=a._splits,oe=O.distr==2?ie.map(Ze=>yt[Ze]):ie,X=O.distr==2?yt[ie[1]]-yt[ie[0]]:D,G=a.ticks,I=a.border,
xe=G.show?G.size:0,Se=ze(xe*se),We=ze((a.alignTo==2?a._size-xe-a.gap:a.gap)*se),pe=a._rotate*-bl/180,Te=E(a._pos*se),rt=(Se+We)*T,Ye=Te+rt;v=p==0?Ye:0,_=p==1?Ye:
0;let ht=a.font[0],kt=a.align==1?Bn:a.align==2?Lr:pe>0?Bn:pe<0?Lr:p==0?"center":c==3?Lr:Bn,Rt=pe||p==1?"middle":c==2?"top":Vs;xi(ht,y,kt,Rt);let it=a.font[1]*a.
lineGap,gt=ie.map(Ze=>E(u(Ze,O,$,K))),St=a._values;for(let Ze=0;Ze<St.length;Ze++){let st=St[Ze];if(st!=null){p==0?_=gt[Ze]:v=gt[Ze],st=""+st;let pn=st.indexOf(
`
`)==-1?[st]:st.split(/\n/gm);for(let Je=0;Je<pn.length;Je++){let Vi=pn[Je];pe?(h.save(),h.translate(_,v+Je*it),h.rotate(pe),h.fillText(Vi,0,0),h.restore()):h.fillText(
Vi,_,v+Je*it)}}}G.show&&Bl(gt,G.filter(o,oe,r,L,X),p,c,Te,Se,me(G.width*se,3),G.stroke(o,r),G.dash,G.cap);let Ot=a.grid;Ot.show&&Bl(gt,Ot.filter(o,oe,r,L,X),p,p==
0?2:1,p==0?pt:lt,p==0?wt:et,me(Ot.width*se,3),Ot.stroke(o,r),Ot.dash,Ot.cap),I.show&&Bl([Te],[1],p==0?1:0,p==0?1:2,p==1?pt:lt,p==1?wt:et,me(I.width*se,3),I.stroke(
o,r),I.dash,I.cap)}Ue("drawAxes")}function Fn(r){w.forEach((a,c)=>{c>0&&(a._paths=null,r&&(l==1?(a.min=null,a.max=null):a.facets.forEach(p=>{p.min=null,p.max=null})))})}
let qo=!1,Kl=!1,so=[];function Nu(){Kl=!1;for(let r=0;r<so.length;r++)Ue(...so[r]);so.length=0}function $n(){qo||(_f(ki),qo=!0)}function Vu(r,a=!1){qo=!0,Kl=a,r(
o),ki(),a&&so.length>0&&queueMicrotask(Nu)}o.batch=Vu;function ki(){if(Ol&&(Lu(),Ol=!1),Mn&&(Tu(),Mn=!1),Ho){if(be(x,Bn,he),be(x,"top",Oe),be(x,Eo,Z),be(x,Mo,z),
be(k,Bn,he),be(k,"top",Oe),be(k,Eo,Z),be(k,Mo,z),be(b,Eo,It),be(b,Mo,on),g.width=ze(It*se),g.height=ze(on*se),A.forEach(({_el:r,_show:a,_size:c,_pos:p,side:_})=>{
if(r!=null)if(a){let v=_===3||_===0?c:0,y=_%2==1;be(r,y?"left":"top",p-v),be(r,y?"width":"height",c),be(r,y?"top":"left",y?Oe:he),be(r,y?"height":"width",y?z:Z),
Vr(r,wn)}else at(r,wn)}),Vo=zn=$l=Il=Nl=Vl=Ul=Wl=Hl=null,tt=1,co(!0),he!=En||Oe!=ln||Z!=Et||z!=rn){Fn(!1);let r=Z/Et,a=z/rn;if(Ke&&!sn&&H.left>=0){H.left*=r,H.top*=
a,Hn&&Ft(Hn,ze(H.left),0,Z,z),In&&Ft(In,0,ze(H.top),Z,z);for(let c=0;c<mt.length;c++){let p=mt[c];p!=null&&(Rn[c]*=r,On[c]*=a,Ft(p,bt(Rn[c]),bt(On[c]),Z,z))}}if(_e.
show&&!Io&&_e.left>=0&&_e.width>0){_e.left*=r,_e.width*=r,_e.top*=a,_e.height*=a;for(let c in Xl)be(Un,c,_e[c])}En=he,ln=Oe,Et=Z,rn=z}Ue("setSize"),Ho=!1}It>0&&
on>0&&(h.clearRect(0,0,g.width,g.height),Ue("drawClear"),W.forEach(r=>r()),Ue("draw")),_e.show&&Io&&(Go(_e),Io=!1),Ke&&sn&&(fn(null,!0,!1),sn=!1),Q.show&&Q.live&&
dt&&(Jl(),dt=!1),f||(f=!0,o.status=1,Ue("ready")),io=!1,qo=!1}o.redraw=(r,a)=>{Mn=a||!1,r!==!1?Kt(F,C.min,C.max):$n()};function jl(r,a){let c=S[r];if(c.from==null){
if(qe==0){let p=c.range(o,a.min,a.max,r);a.min=p[0],a.max=p[1]}if(a.min>a.max){let p=a.min;a.min=a.max,a.max=p}if(qe>1&&a.min!=null&&a.max!=null&&a.max-a.min<1e-16)
return;r==F&&c.distr==2&&qe>0&&(a.min=Pt(a.min,t[0]),a.max=Pt(a.max,t[0]),a.min==a.max&&a.max++),V[r]=a,Ol=!0,$n()}}o.setScale=jl;let Yl,Zl,Hn,In,Si,Ti,Nn,Vn,Pi,
Di,ge,ye,Bt=!1,Ge=H.drag,Ne=Ge.x,Ve=Ge.y;Ke&&(H.x&&(Yl=xt(Nc,k)),H.y&&(Zl=xt(Vc,k)),C.ori==0?(Hn=Yl,In=Zl):(Hn=Zl,In=Yl),ge=H.left,ye=H.top);let _e=o.select=Le(
{show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),Un=_e.show?xt(Ic,_e.over?k:x):null;function Go(r,a){if(_e.show){for(let c in r)_e[c]=r[c],c in Xl&&be(
Un,c,r[c]);a!==!1&&Ue("setSelect")}}o.setSelect=Go;function Uu(r){if(w[r].show)Re&&Vr(ke[r],wn);else if(Re&&at(ke[r],wn),Ke){let c=Ln?mt[0]:mt[r];c!=null&&Ft(c,
-10,-10,Z,z)}}function Kt(r,a,c){jl(r,{min:a,max:c})}function At(r,a,c,p){a.focus!=null&&Ku(r),a.show!=null&&w.forEach((_,v)=>{v>0&&(r==v||r==null)&&(_.show=a.show,
Uu(v),l==2?(Kt(_.facets[0].scale,null,null),Kt(_.facets[1].scale,null,null)):Kt(_.scale,null,null),$n())}),c!==!1&&Ue("setSeries",r,a),p&&fo("setSeries",o,r,a)}
o.setSeries=At;function Wu(r,a){Le(j[r],a)}function qu(r,a){r.fill=ee(r.fill||null),r.dir=re(r.dir,-1),a=a??j.length,j.splice(a,0,r)}function Gu(r){r==null?j.length=
0:j.splice(r,1)}o.addBand=qu,o.setBand=Wu,o.delBand=Gu;function Bu(r,a){w[r].alpha=a,Ke&&mt[r]!=null&&(mt[r].style.opacity=a),Re&&ke[r]&&(ke[r].style.opacity=a)}
let Nt,jt,cn,Wn={focus:!0};function Ku(r){if(r!=cn){let a=r==null,c=Mt.alpha!=1;w.forEach((p,_)=>{if(l==1||_>0){let v=a||_==0||_==r;p._focus=a?null:v,c&&Bu(_,v?
1:Mt.alpha)}}),cn=r,c&&$n()}}Re&&An&&je(Gs,ae,r=>{H._lock||(an(r),cn!=null&&At(null,Wn,!0,Ce.setSeries))});function Lt(r,a,c){let p=S[a];c&&(r=r/se-(p.ori==1?Oe:
he));let _=Z;p.ori==1&&(_=z,r=_-r),p.dir==-1&&(r=_-r);let v=p._min,y=p._max,T=r/_,D=v+(y-v)*T,L=p.distr;return L==3?Yn(10,D):L==4?lf(D,p.asinh):L==100?p.bwd(D):
D}function ju(r,a){let c=Lt(r,F,a);return Pt(c,t[0],He,Ie)}o.valToIdx=r=>Pt(r,t[0]),o.posToIdx=ju,o.posToVal=Lt,o.valToPos=(r,a,c)=>S[a].ori==0?i(r,S[a],c?et:Z,
c?lt:0):s(r,S[a],c?wt:z,c?pt:0),o.setCursor=(r,a,c)=>{ge=r.left,ye=r.top,fn(null,a,c)};function Ci(r,a){be(Un,Bn,_e.left=r),be(Un,Eo,_e.width=a)}function Ei(r,a){
be(Un,"top",_e.top=r),be(Un,Mo,_e.height=a)}let ao=C.ori==0?Ci:Ei,uo=C.ori==1?Ci:Ei;function Yu(){if(Re&&Q.live)for(let r=l==2?1:0;r<w.length;r++){if(r==0&&ft)continue;
let a=Q.values[r],c=0;for(let p in a)Ct[r][c++].firstChild.nodeValue=a[p]}}function Jl(r,a){if(r!=null&&(r.idxs?r.idxs.forEach((c,p)=>{fe[p]=c}):uf(r.idx)||fe.fill(
r.idx),Q.idx=fe[0]),Re&&Q.live){for(let c=0;c<w.length;c++)(c>0||l==1&&!ft)&&Zu(c,fe[c]);Yu()}dt=!1,a!==!1&&Ue("setLegend")}o.setLegend=Jl;function Zu(r,a){let c=w[r],
p=r==0&&q==2?yt:t[r],_;ft?_=c.values(o,r,a)??qt:(_=c.value(o,a==null?null:p[a],r,a),_=_==null?qt:{_}),Q.values[r]=_}function fn(r,a,c){Pi=ge,Di=ye,[ge,ye]=H.move(
o,ge,ye),H.left=ge,H.top=ye,Ke&&(Hn&&Ft(Hn,ze(ge),0,Z,z),In&&Ft(In,0,ze(ye),Z,z));let p,_=He>Ie;Nt=de,jt=null;let v=C.ori==0?Z:z,y=C.ori==1?Z:z;if(ge<0||qe==0||
_){p=H.idx=null;for(let T=0;T<w.length;T++){let D=mt[T];D!=null&&Ft(D,-10,-10,Z,z)}An&&At(null,Wn,!0,r==null&&Ce.setSeries),Q.live&&(fe.fill(p),dt=!0)}else{let T,
D,L;l==1&&(T=C.ori==0?ge:ye,D=Lt(T,F),p=H.idx=Pt(D,t[0],He,Ie),L=R(t[0][p],C,v,0));let O=-10,$=-10,K=0,ie=0,oe=!0,X="",G="";for(let I=l==2?1:0;I<w.length;I++){let xe=w[I],
Se=fe[I],We=Se==null?null:l==1?t[I][Se]:t[I][1][Se],pe=H.dataIdx(o,I,p,D),Te=pe==null?null:l==1?t[I][pe]:t[I][1][pe];if(dt=dt||Te!=We||pe!=Se,fe[I]=pe,I>0&&xe.show){
let rt=pe==null?-10:pe==p?L:R(l==1?t[0][pe]:t[I][0][pe],C,v,0),Ye=Te==null?-10:B(Te,l==1?S[xe.scale]:S[xe.facets[1].scale],y,0);if(An&&Te!=null){let ht=C.ori==1?
ge:ye,kt=Fe(Mt.dist(o,I,pe,Ye,ht));if(kt<Nt){let Rt=Mt.bias;if(Rt!=0){let it=Lt(ht,xe.scale),gt=Te>=0?1:-1,St=it>=0?1:-1;St==gt&&(St==1?Rt==1?Te>=it:Te<=it:Rt==
1?Te<=it:Te>=it)&&(Nt=kt,jt=I)}else Nt=kt,jt=I}}if(dt||Ln){let ht,kt;C.ori==0?(ht=rt,kt=Ye):(ht=Ye,kt=rt);let Rt,it,gt,St,Ot,Ze,st=!0,pn=Be.bbox;if(pn!=null){st=
!1;let Je=pn(o,I);gt=Je.left,St=Je.top,Rt=Je.width,it=Je.height}else gt=ht,St=kt,Rt=it=Be.size(o,I);if(Ze=Be.fill(o,I),Ot=Be.stroke(o,I),Ln)I==jt&&Nt<=Mt.prox&&
(O=gt,$=St,K=Rt,ie=it,oe=st,X=Ze,G=Ot);else{let Je=mt[I];Je!=null&&(Rn[I]=gt,On[I]=St,Qs(Je,Rt,it,st),Zs(Je,Ze,Ot),Ft(Je,bt(gt),bt(St),Z,z))}}}}if(Ln){let I=Mt.
prox,xe=cn==null?Nt<=I:Nt>I||jt!=cn;if(dt||xe){let Se=mt[0];Se!=null&&(Rn[0]=O,On[0]=$,Qs(Se,K,ie,oe),Zs(Se,X,G),Ft(Se,bt(O),bt($),Z,z))}}}if(_e.show&&Bt)if(r!=
null){let[T,D]=Ce.scales,[L,O]=Ce.match,[$,K]=r.cursor.sync.scales,ie=r.cursor.drag;if(Ne=ie._x,Ve=ie._y,Ne||Ve){let{left:oe,top:X,width:G,height:I}=r.select,xe=r.
scales[$].ori,Se=r.posToVal,We,pe,Te,rt,Ye,ht=T!=null&&L(T,$),kt=D!=null&&O(D,K);ht&&Ne?(xe==0?(We=oe,pe=G):(We=X,pe=I),Te=S[T],rt=R(Se(We,$),Te,v,0),Ye=R(Se(We+
pe,$),Te,v,0),ao(Dt(rt,Ye),Fe(Ye-rt))):ao(0,v),kt&&Ve?(xe==1?(We=oe,pe=G):(We=X,pe=I),Te=S[D],rt=B(Se(We,K),Te,y,0),Ye=B(Se(We+pe,K),Te,y,0),uo(Dt(rt,Ye),Fe(Ye-
rt))):uo(0,y)}else er()}else{let T=Fe(Pi-Si),D=Fe(Di-Ti);if(C.ori==1){let K=T;T=D,D=K}Ne=Ge.x&&T>=Ge.dist,Ve=Ge.y&&D>=Ge.dist;let L=Ge.uni;L!=null?Ne&&Ve&&(Ne=T>=
L,Ve=D>=L,!Ne&&!Ve&&(D>T?Ve=!0:Ne=!0)):Ge.x&&Ge.y&&(Ne||Ve)&&(Ne=Ve=!0);let O,$;Ne&&(C.ori==0?(O=Nn,$=ge):(O=Vn,$=ye),ao(Dt(O,$),Fe($-O)),Ve||uo(0,y)),Ve&&(C.ori==
1?(O=Nn,$=ge):(O=Vn,$=ye),uo(Dt(O,$),Fe($-O)),Ne||ao(0,v)),!Ne&&!Ve&&(ao(0,0),uo(0,0))}if(Ge._x=Ne,Ge._y=Ve,r==null){if(c){if(Ni!=null){let[T,D]=Ce.scales;Ce.values[0]=
T!=null?Lt(C.ori==0?ge:ye,T):null,Ce.values[1]=D!=null?Lt(C.ori==1?ge:ye,D):null}fo(Rr,o,ge,ye,Z,z,p)}if(An){let T=c&&Ce.setSeries,D=Mt.prox;cn==null?Nt<=D&&At(
jt,Wn,!0,T):Nt>D?At(null,Wn,!0,T):jt!=cn&&At(jt,Wn,!0,T)}}dt&&(Q.idx=p,Jl()),a!==!1&&Ue("setCursor")}let Yt=null;Object.defineProperty(o,"rect",{get(){return Yt==
null&&co(!1),Yt}});function co(r=!1){r?Yt=null:(Yt=k.getBoundingClientRect(),Ue("syncRect",Yt))}function Mi(r,a,c,p,_,v,y){H._lock||Bt&&r!=null&&r.movementX==0&&
r.movementY==0||(Ql(r,a,c,p,_,v,y,!1,r!=null),r!=null?fn(null,!0,!0):fn(a,!0,!1))}function Ql(r,a,c,p,_,v,y,T,D){if(Yt==null&&co(!1),an(r),r!=null)c=r.clientX-Yt.
left,p=r.clientY-Yt.top;else{if(c<0||p<0){ge=-10,ye=-10;return}let[L,O]=Ce.scales,$=a.cursor.sync,[K,ie]=$.values,[oe,X]=$.scales,[G,I]=Ce.match,xe=a.axes[0].side%
2==1,Se=C.ori==0?Z:z,We=C.ori==1?Z:z,pe=xe?v:_,Te=xe?_:v,rt=xe?p:c,Ye=xe?c:p;if(oe!=null?c=G(L,oe)?u(K,S[L],Se,0):-10:c=Se*(rt/pe),X!=null?p=I(O,X)?u(ie,S[O],We,
0):-10:p=We*(Ye/Te),C.ori==1){let ht=c;c=p,p=ht}}D&&(a==null||a.cursor.event.type==Rr)&&((c<=1||c>=Z-1)&&(c=bn(c,Z)),(p<=1||p>=z-1)&&(p=bn(p,z))),T?(Si=c,Ti=p,[
Nn,Vn]=H.move(o,c,p)):(ge=c,ye=p)}let Xl={width:0,height:0,left:0,top:0};function er(){Go(Xl,!1)}let Ai,Li,Ri,Oi;function zi(r,a,c,p,_,v,y){Bt=!0,Ne=Ve=Ge._x=Ge.
_y=!1,Ql(r,a,c,p,_,v,y,!0,!1),r!=null&&(je(Or,Ir,Fi,!1),fo(Ws,o,Nn,Vn,Z,z,null));let{left:T,top:D,width:L,height:O}=_e;Ai=T,Li=D,Ri=L,Oi=O}function Fi(r,a,c,p,_,v,y){
Bt=Ge._x=Ge._y=!1,Ql(r,a,c,p,_,v,y,!1,!0);let{left:T,top:D,width:L,height:O}=_e,$=L>0||O>0,K=Ai!=T||Li!=D||Ri!=L||Oi!=O;if($&&K&&Go(_e),Ge.setScale&&$&&K){let ie=T,
oe=L,X=D,G=O;if(C.ori==1&&(ie=D,oe=O,X=T,G=L),Ne&&Kt(F,Lt(ie,F),Lt(ie+oe,F)),Ve)for(let I in S){let xe=S[I];I!=F&&xe.from==null&&xe.min!=de&&Kt(I,Lt(X+G,I),Lt(X,
I))}er()}else H.lock&&(H._lock=!H._lock,fn(a,!0,r!=null));r!=null&&(Cn(Or,Ir),fo(Or,o,ge,ye,Z,z,null))}function Ju(r,a,c,p,_,v,y){if(H._lock)return;an(r);let T=Bt;
if(Bt){let D=!0,L=!0,O=10,$,K;C.ori==0?($=Ne,K=Ve):($=Ve,K=Ne),$&&K&&(D=ge<=O||ge>=Z-O,L=ye<=O||ye>=z-O),$&&D&&(ge=ge<Nn?0:Z),K&&L&&(ye=ye<Vn?0:z),fn(null,!0,!0),
Bt=!1}ge=-10,ye=-10,fe.fill(null),fn(null,!0,!0),T&&(Bt=T)}function $i(r,a,c,p,_,v,y){H._lock||(an(r),Fl(),er(),r!=null&&fo(Bs,o,ge,ye,Z,z,null))}function Hi(){
A.forEach(Tp),zl(o.width,o.height,!0)}yn(vl,jn,Hi);let qn={};qn.mousedown=zi,qn.mousemove=Mi,qn.mouseup=Fi,qn.dblclick=$i,qn.setSeries=(r,a,c,p)=>{let _=Ce.match[2];
c=_(o,a,c),c!=-1&&At(c,p,!0,!1)},Ke&&(je(Ws,k,zi),je(Rr,k,Mi),je(qs,k,r=>{an(r),co(!1)}),je(Gs,k,Ju),je(Bs,k,$i),Kr.add(o),o.syncRect=co);let Bo=o.hooks=e.hooks||
{};function Ue(r,a,c){Kl?so.push([r,a,c]):r in Bo&&Bo[r].forEach(p=>{p.call(null,o,a,c)})}(e.plugins||[]).forEach(r=>{for(let a in r.hooks)Bo[a]=(Bo[a]||[]).concat(
r.hooks[a])});let Ii=(r,a,c)=>c,Ce=Le({key:null,setSeries:!1,filters:{pub:oa,sub:oa},scales:[F,w[1]?w[1].scale:null],match:[la,la,Ii],values:[null,null]},H.sync);
Ce.match.length==2&&Ce.match.push(Ii),H.sync=Ce;let Ni=Ce.key,tr=eu(Ni);function fo(r,a,c,p,_,v,y){Ce.filters.pub(r,a,c,p,_,v,y)&&tr.pub(r,a,c,p,_,v,y)}tr.sub(o);
function Qu(r,a,c,p,_,v,y){Ce.filters.sub(r,a,c,p,_,v,y)&&qn[r](null,a,c,p,_,v,y)}o.pub=Qu;function Xu(){tr.unsub(o),Kr.delete(o),nn.clear(),Ur(vl,jn,Hi),m.remove(),
ae?.remove(),Ue("destroy")}o.destroy=Xu;function nr(){Ue("init",e,t),gi(t||e.data,!1),V[F]?jl(F,V[F]):Fl(),Io=_e.show&&(_e.width>0||_e.height>0),sn=dt=!0,zl(e.width,
e.height)}return w.forEach(mi),A.forEach(Au),n?n instanceof HTMLElement?(n.appendChild(m),nr()):n(o,nr):nr(),o}$e.assign=Le;$e.fmtNum=ei;$e.rangeNum=wl;$e.rangeLog=
Sl;$e.rangeAsinh=Qr;$e.orient=Sn;$e.pxRatio=se;$e.join=gf;$e.fmtDate=ni,$e.tzDate=Df;$e.sync=eu;{$e.addGap=up,$e.clipGaps=Dl;let e=$e.paths={points:iu};e.linear=
au,e.stepped=pp,e.bars=dp,e.spline=hp}var Pp=200,du="12px system-ui, sans-serif";function mu(e,t){return new $e(Cp(t),Dp(t),e)}function Dp(e){let t=e.xs.map(l=>l.getTime()/1e3);if(e.kind==="lines")return[
t,...e.series.map(l=>l.values)];let n=t.map(()=>0),o=e.series.map(l=>l.values.map((i,s)=>n[s]=(n[s]??0)+(i??0)));return[t,...o.toReversed()]}function Cp(e){let t=e.
slots.map(o=>So(`series-${o}`)),n=e.kind==="bars"?t.toReversed():t;return{width:Math.max(e.width,100),height:Pp,padding:[8,8,0,0],legend:{show:!1},cursor:{y:!1,
points:{show:e.kind==="lines"},drag:{x:!0,y:!1,setScale:!1,uni:8}},tzDate:o=>$e.tzDate(new Date(o*1e3),e.zone),scales:{x:{time:!0,range:(o,l,i)=>Ep(e,l,i)},y:{range:(o,l,i)=>[
0,i>0?i*1.06:1]}},axes:Mp(e),series:[{},...n.map(o=>e.kind==="bars"?Op(e,o):Rp(o))],hooks:{setSelect:[o=>zp(o,e)],setCursor:[o=>Fp(o,e)]}}}function Ep(e,t,n){return e.
kind==="lines"&&e.xs.length>1?[t,n]:[t,Math.max(n+ui(e),t+1)]}function ui(e){let[t,n]=e.xs;return t&&n?(n.getTime()-t.getTime())/1e3:e.grain==="hour"?3600:e.grain===
"day"?86400:30*86400}function Mp(e){let[t,n]=[So("muted"),So("hairline")],o={stroke:t,font:du,ticks:{show:!1}};return[{...o,size:24,gap:6,grid:{show:!1},space:64,
values:(l,i)=>Lp(l,i,e)},{...o,gap:8,size:(l,i)=>Ap(l,i),grid:{stroke:n,width:1},space:40,values:(l,i)=>i.map(e.axis??e.format)}]}function Ap(e,t){e.ctx.save(),
e.ctx.font=du;let n=Math.max(0,...(t??[]).map(o=>e.ctx.measureText(o).width));return e.ctx.restore(),Math.ceil(n)+16}function Lp(e,t,n){let o=(t[1]??0)-(t[0]??0),
l=(s,u)=>new Date(u*1e3).toLocaleString("en-GB",{timeZone:n.zone,hourCycle:"h23",...s}),i=s=>l({day:"numeric",month:"short"},s);return o>=28*86400?t.map(s=>l({month:"\
short",year:"numeric"},s)):o>=86400?t.map(i):t.map((s,u)=>{let f=t[u-1];return(u===0?e.axes.length>0:f!==void 0&&i(f)!==i(s))?i(s):l({hour:"2-digit",minute:"2-d\
igit"},s)})}function Rp(e){return{stroke:e,width:1.5,points:{show:!1},spanGaps:!1}}function Op(e,t){let n=e.xs.length>0&&(e.xs[e.xs.length-1]?.getTime()??0)+ui(
e)*1e3>e.until.getTime(),o=So("panel"),l=e.xs.map((i,s)=>n&&s===e.xs.length-1?o:t);return{stroke:t,fill:t,width:1,points:{show:!1},paths:$e.paths.bars?.({align:1,
size:[.86,48],disp:{fill:{unit:3,values:()=>l},stroke:{unit:3,values:()=>e.xs.map(()=>t)}}})}}function zp(e,t){if(e.select.width<8)return;let n=o=>new Date(e.posToVal(
o,"x")*1e3);t.onZoom(pu(n(e.select.left),t),pu(n(e.select.left+e.select.width),t,!0)),e.setSelect({left:0,top:0,width:0,height:0},!1)}function pu(e,t,n=!1){let o=t.
xs.findLastIndex(i=>i<=e);o<0&&(o=0);let l=t.xs[o]??e;return n?t.xs[o+1]??new Date(l.getTime()+ui(t)*1e3):l}function Fp(e,t){let{left:n}=e.cursor;if(n===void 0||
n<0)return t.onPoint(null);let o=t.kind==="bars"?t.xs.findLastIndex(l=>l.getTime()/1e3<=e.posToVal(n,"x")):e.cursor.idx??-1;t.onPoint(o<0?null:{index:o,left:n+e.
bbox.left/devicePixelRatio+8})}function Ll(e){let{label:t,columns:n,rows:o,id:l,selected:i,onOpen:s}=e,[u,f]=le(()=>Vp(e.sorted)),m=Up(o,n,u),g=n.some(h=>h.sum!==void 0);return d("div",{class:"\
scroll",tabIndex:0,role:"region","aria-label":t,children:d("table",{children:[d("thead",{children:d("tr",{children:n.map(h=>d($p,{column:h,order:u,onOrder:f},h.
key))})}),d("tbody",{children:m.map(h=>d(Hp,{row:h,columns:n,selected:i!==void 0&&i===l(h),onOpen:s},l(h)))}),g&&d("tfoot",{children:d("tr",{children:n.map(h=>d(
"td",{class:Al(h),children:h.sum},h.key))})})]})})}function Al(e){return e.num?"num":e.wrap?"wrap":void 0}function $p({column:e,order:t,onOrder:n}){let o=t?.key===
e.key?t:null;if(!e.sort)return d("th",{scope:"col",class:Al(e),title:e.hint,children:e.title});let l={key:e.key,down:o?!o.down:e.num===!0};return d("th",{scope:"\
col",class:Al(e),title:e.hint,"aria-sort":o?o.down?"descending":"ascending":"none",children:d("button",{type:"button",onClick:()=>n(l),children:[e.title,d("span",
{class:"mark","aria-hidden":"true",children:o?o.down?"↓":"↑":""})]})})}function Hp({row:e,columns:t,selected:n,onOpen:o}){let l=t.map(i=>d("td",{class:Al(i),
children:i.cell(e)},i.key));return o?d("tr",{class:"open","aria-selected":n,tabIndex:0,onClick:i=>Ip(i)&&o(e),onKeyDown:i=>Np(i,()=>o(e)),children:l}):d("tr",{children:l})}
function Ip(e){return(e.target instanceof Element?e.target.closest("a, button"):null)===null&&getSelection()?.isCollapsed!==!1}function Np(e,t){let n=e.currentTarget;
if(!(n instanceof HTMLElement)||e.target!==n)return;let o=e.key==="ArrowDown"?n.nextElementSibling:e.key==="ArrowUp"?n.previousElementSibling:null;if(e.key==="E\
nter")t();else if(o instanceof HTMLElement)o.focus();else return;e.preventDefault()}function Vp(e){return e===void 0?null:e.startsWith("-")?{key:e.slice(1),down:!0}:
{key:e,down:!1}}function Up(e,t,n){let o=t.find(i=>i.key===n?.key)?.sort;if(!o||!n)return e;let l=n.down?-1:1;return e.toSorted((i,s)=>{let[u,f]=[o(i),o(s)];return l*
(typeof u=="string"?u.localeCompare(String(f)):u-Number(f))})}function hu({part:e,whole:t}){let n=t>0?Math.max(e>0?1:0,96*e/t):0;return d("svg",{class:"share",viewBox:"\
0 0 96 8","aria-hidden":"true",children:[d("rect",{width:"96",height:"8",rx:"1"}),d("rect",{width:n,height:"8",rx:"1"})]})}function ci(e){let[t,n]=le(!1),{zone:o}=Ae();return d("section",{class:"panel","aria-label":e.title,children:[d("header",{children:[d("h2",{children:e.title}),d(
"span",{class:"muted small",children:o}),d("div",{class:"rest",children:[e.tools,d("button",{class:"quiet","aria-pressed":t,onClick:()=>n(!t),children:t?"Plot":
"Table"})]})]}),e.note,t?d(Wp,{...e,zone:o}):d(qp,{...e,zone:o})]})}function zo(e,{grain:t,zone:n}){return t==="hour"?`${Sr(e,n)} ${Qt(e,n)}`:t==="day"?Sr(e,n):
e.toLocaleDateString("en-GB",{timeZone:n,month:"short",year:"numeric"})}function Wp(e){let t=[{key:"at",title:e.grain==="hour"?"Hour":e.grain==="day"?"Day":"Mon\
th",cell:n=>zo(e.xs[n]??new Date,e),sort:n=>n}];for(let n of e.series)t.push({key:n.name,title:n.label??n.name,num:!0,cell:o=>gu(n.values[o],e),sort:o=>n.values[o]??
-1});return d(Ll,{label:e.title+", as a table",columns:t,rows:e.xs.map((n,o)=>o),id:String,sorted:"-at"})}function gu(e,{format:t}){return e==null?"–":t(e)}function qp(e){
let{series:t,onPick:n}=e,o=tl(()=>Ds(t.map(l=>l.name)),[t]);return d(Pe,{children:[d("div",{class:"legend",children:t.map((l,i)=>d("button",{title:n?`Only ${l.label??
l.name}`:void 0,disabled:!n,onClick:()=>n?.(l.name),children:[d(_u,{slot:o[i]??8}),l.label??l.name]},l.name))}),d(Gp,{...e,slots:o})]})}function _u({slot:e}){return d(
"i",{style:{background:`var(--series-${e})`}})}function Gp(e){let t=gn(null),[n,o]=le(null),[l,i]=le(0);return Me(()=>{let s=()=>i(u=>u+1);return Do.addEventListener(
"scheme",s),()=>Do.removeEventListener("scheme",s)},[]),Me(()=>{let s=t.current;if(!s)return;let u={...e,width:s.clientWidth-16,onPoint:o,onZoom:Bp},f=mu(s,u),m=new ResizeObserver(
()=>f.setSize({width:s.clientWidth-16,height:f.height}));return m.observe(s),()=>{m.disconnect(),f.destroy()}},[e.xs,e.series,e.kind,e.zone,l]),d("div",{class:"\
plot",ref:t,role:"img","aria-label":jp(e),children:n&&d(Kp,{...e,...n})})}function Bp(e,t){Vt({since:e.toISOString().replace(/\.\d+/,""),until:t.toISOString().replace(
/\.\d+/,"")})}function Kp(e){let{series:t,slots:n,index:o,left:l,xs:i,kind:s}=e,u=t.map((h,b)=>({one:h,slot:n[b]??8,value:h.values[o]??null})).filter(({value:h})=>h!==
null&&(s==="lines"||h!==0)),f=i[o];if(!f)return null;let m=u.reduce((h,{value:b})=>h+(b??0),0),g=l>320;return d("div",{class:"tip","aria-hidden":"true",style:g?
{right:`calc(100% - ${l-12}px)`}:{left:`${l+12}px`},children:[d("div",{children:[d("strong",{children:zo(f,e)}),s==="bars"&&d("b",{children:e.format(m)})]}),u.map(
({one:h,slot:b,value:x})=>d("div",{children:[d(_u,{slot:b}),h.label??h.name,d("b",{children:gu(x,e)})]},h.name)),f>=new Date(Date.now()-36e5)&&d("div",{class:"m\
uted",children:"not over yet"})]})}function jp(e){let{title:t,xs:n,series:o,kind:l}=e,[i,s]=[n[0],n[n.length-1]];if(!i||!s)return`${t}: nothing`;let u=n.map((m,g)=>l===
"bars"?o.reduce((h,b)=>h+(b.values[g]??0),0):Math.max(0,...o.map(h=>h.values[g]??0))),f=u.indexOf(Math.max(...u));return`${t}, ${zo(i,e)} to ${zo(s,e)}, highest\
 ${e.format(u[f]??0)} on ${zo(n[f]??s,e)}`}function Fo({of:e,empty:t,isEmpty:n,children:o}){let{data:l,error:i,loading:s}=e;if(l===null)return i?d(fi,{error:i,retry:e.reload}):d(xu,{shown:s});let u=t!==void 0&&
n?.(l)===!0;return d(Pe,{children:[i&&d(Yp,{of:e,error:i}),s&&d(xu,{shown:!0}),d("div",{class:s?"old":void 0,children:u?d("div",{class:"state",children:t}):o(l)})]})}
function xu({shown:e}){return e?d("div",{role:"status",children:[d("div",{class:"loading"}),d("span",{class:"unseen",children:"Loading"})]}):null}function Yp({of:e,
error:t}){let{zone:n}=Ae();return d("div",{class:"row state small",role:"status",children:[d("span",{class:"warn",children:["Could not refresh",e.at?`: this is \
from ${Qt(e.at,n)}`:"","."]}),d("span",{children:t.message}),d("button",{class:"quiet",onClick:e.reload,children:"Try again"})]})}function fi({error:e,retry:t}){
return d("div",{class:"state",role:"alert",children:[d("strong",{children:Zp(e)}),d("span",{children:e.message}),e.status>=500&&d("span",{children:"Requests of \
callers are served and journaled all the same."}),t&&e.status!==403&&d("button",{onClick:t,children:"Try again"})]})}function Zp({status:e}){switch(!0){case e===
0:return"Weir cannot be reached";case e===403:return"Your role does not allow this";case e===404:return"There is no such thing";case(e===503||e===529):return"Th\
at takes too long now";case e>=500:return"The store cannot be read";default:return"Weir refuses this question"}}function bu({children:e}){return d("dl",{class:"panel tiles",children:e})}function no({label:e,figure:t,hint:n,tone:o="",children:l}){return d("div",{class:"til\
e",children:[d("dt",{children:e}),d("dd",{class:`figure ${o}`,title:n,children:t}),d("dd",{class:"note",children:l})]})}function vu(){let{params:e}=Xt(),t={period:wo(e),team:e.get("team")??""},n=nt("GET /admin/v1/usage",{query:{by:"model",...Tn(t)}});return d($s,{title:"Overview",
period:!0,team:!0,of:n,children:[d(Jp,{about:t,totals:n}),d(td,{}),d(ld,{about:t,by:e.get("by")??"model"}),t.team===""&&d(sd,{about:t}),d(ad,{about:t})]})}function Tn({
period:e,team:t}){return{since:e.since,...e.until&&{until:e.until},...t&&{team:t}}}function $t(e,t){return e.reduce((n,o)=>n+t(o),0)}function Jp({about:e,totals:t}){
let{zone:n}=Ae(),o=nt("GET /admin/v1/usage",{query:{by:"model",...Tn({...e,period:Ps(e.period,n)})}}),l=nt("GET /admin/v1/latency",{query:{by:"day",...Tn({...e,
team:""})}}),i=nt("GET /admin/v1/latency",{query:{by:"provider",...Tn({...e,team:""})}}),s=nt("GET /admin/v1/requests",{query:{limit:100,...e.team&&{team:e.team}}}),
u=o.data?$t(o.data.data,f=>f.cost_nanodollars):0;return d("section",{"aria-label":"Figures",children:d(Fo,{of:t,children:({data:f})=>{let m=$t(f,P=>P.cost_nanodollars),
g=$t(f,P=>P.input_tokens+P.output_tokens),h=$t(f,P=>P.attempts),b=(i.data?.data??[]).reduce((P,E)=>P+E.failed,0),x=(i.data?.data??[]).reduce((P,E)=>P+E.calls,0),
k=Qp((s.data?.data??[]).map(P=>P.own_us));return d(bu,{children:[d(no,{label:"Cost",figure:Gn(m),hint:vr(m),children:yr(m,u)?`${yr(m,u)} on the span before`:"no\
thing in the span before"}),d(no,{label:"Requests",figure:zt($t(f,P=>P.requests)),children:e.team?bo(h,"call"):`${il(b,x)} of ${bo(x,"call")} failed`}),d(no,{label:"\
Tokens",figure:wr(g),hint:zt(g),children:[il($t(f,P=>P.cache_read_tokens),$t(f,P=>P.input_tokens))," of prompts from caches"]}),d(no,{label:"First token, p95",figure:sl(
Xp(l.data?.data??[])),children:k===null?"no requests yet":`Weir’s own part ${sl(k)}`}),d(ed,{rows:f})]})}})})}function Qp(e){let t=e.toSorted((n,o)=>n-o);return t[Math.
floor(t.length/2)]??null}function Xp(e){return e.reduce((t,{first:n})=>n.p95_us===null?t:Math.max(t??0,n.p95_us),null)}function ed({rows:e}){let[t,n,o]=[$t(e,i=>i.
orphaned),$t(e,i=>i.in_doubt),$t(e,i=>i.estimated)],l=t+n;return d(no,{label:"Ledger",figure:l===0?"Complete":bo(l,"open row"),tone:l===0?"":"warn",children:[bo(
o,"estimated row"),l>0&&`, ${zt(t)} orphaned, ${zt(n)} in doubt`]})}function td(){let{zone:e}=Ae(),t=nt("GET /admin/v1/models",{}),n=new Map((t.data?.data??[]).
flatMap(nd));return n.size===0?null:d("section",{class:"stack","aria-label":"Troubles",children:[...n].map(([o,l])=>d("div",{class:"panel alert",children:[d("sp\
an",{class:"mono",children:o}),d("span",{class:"warn",children:["breaker ",l.breaker,l.open_until?` until ${Qt(new Date(l.open_until),e)}`:""]}),d("a",{href:_t(
"/providers"),children:"Providers"})]},o))})}function nd(e){return e.targets.flatMap(({target:t,health:n})=>n&&n.breaker!=="closed"?[[t,n]]:[])}var od=["model",
"team","key","provider"];function ld({about:e,by:t}){let{zone:n}=Ae(),o=Tr(e.period,n),l={query:{by:`${t},${o}`,...Tn(e)}},i=nt("GET /admin/v1/usage",l),s=d(Pe,
{children:[d(ml,{label:"Divide by",value:t,options:od.map(u=>({value:u,label:u})),onChange:u=>Vt({by:u==="model"?null:u})}),d(dl,{list:!0,route:"GET /admin/v1/u\
sage",asked:l,command:`weir usage --by ${t},${o} --since ${e.period.since}`})]});return d(Fo,{of:i,children:({data:u,since:f,until:m})=>{let g=Dr(new Date(f),new Date(
m),o,n),h=Cs({rows:u,xs:g,zone:n,group:b=>rd(b,t),value:b=>b.cost_nanodollars});return d(ci,{title:`Cost per ${o}, by ${t}`,kind:"bars",grain:o,xs:g,until:new Date,
series:h,format:Gn,axis:bs,tools:s,onPick:b=>Vt(id(t,b))})}})}function rd(e,t){switch(t){case"team":return e.team===""?"no team":e.name||e.team||"";case"key":return e.
name||e.key||"";case"provider":return e.provider??"";default:return e.model??""}}function id(e,t){return e==="team"?{team:t}:{[e]:t}}function sd({about:e}){let{
zone:t}=Ae(),n=Tr(e.period,t)==="hour"?"hour":"day",o={query:{by:n,...Tn({...e,team:""})}},l=nt("GET /admin/v1/latency",o);return d(Fo,{of:l,children:({data:i,since:s,
until:u})=>{let f=Dr(new Date(s),new Date(u),n,t);return d(ci,{title:`Time of calls per ${n}`,kind:"lines",grain:n,xs:f,until:new Date,series:Es(i,f,"took"),format:sl,
tools:d(dl,{list:!0,route:"GET /admin/v1/latency",asked:o})})}})}function ad({about:e}){let{zone:t}=Ae(),n={query:{by:"key",top:50,...Tn(e)}},o=nt("GET /admin/v\
1/usage",n);return d("section",{class:"panel","aria-label":"Keys by cost",children:[d("header",{children:[d("h2",{children:"Keys by cost"}),d("span",{class:"mut\
ed small",children:ul(e.period,t)}),d("div",{class:"rest",children:d(dl,{list:!0,route:"GET /admin/v1/usage",asked:n,command:`weir usage --by key --top 50 --sin\
ce ${e.period.since}`})})]}),d(Fo,{of:o,isEmpty:({data:l})=>l.length===0,empty:d(cd,{}),children:({data:l})=>d(Ll,{label:"Keys by cost",columns:ud(l),rows:l,id:i=>i.
key??"",sorted:"-cost"})})]})}function ud(e){let t=Math.max(0,...e.map(n=>n.cost_nanodollars));return[{key:"key",title:"Key",cell:n=>d("a",{href:_t("/requests",
{key:n.key??""}),children:n.name||n.key}),sort:n=>n.name||n.key||""},{key:"cost",title:"Cost",num:!0,cell:n=>d("span",{title:vr(n.cost_nanodollars),children:Gn(
n.cost_nanodollars)}),sort:n=>n.cost_nanodollars},{key:"share",title:"",cell:n=>d(hu,{part:n.cost_nanodollars,whole:t})},{key:"requests",title:"Requests",num:!0,
cell:n=>zt(n.requests),sort:n=>n.requests},{key:"input",title:"Tokens in",num:!0,cell:n=>zt(n.input_tokens),sort:n=>n.input_tokens},{key:"output",title:"Tokens \
out",num:!0,cell:n=>zt(n.output_tokens),sort:n=>n.output_tokens},{key:"cached",title:"From caches",num:!0,cell:n=>il(n.cache_read_tokens,n.input_tokens),sort:n=>n.
input_tokens?n.cache_read_tokens/n.input_tokens:0}]}function cd(){return d(Pe,{children:[d("strong",{children:"No request in this span"}),d("span",{children:"Ma\
ke a key and call a model with it:"}),d("pre",{class:"code",children:`weir keys create my-app
curl http://127.0.0.1:8930/v1/chat/completions -H 'Authorization: Bearer sk-weir-…' -H 'Content-Type: application/json' \\
  -d '{"model": "smart", "messages": [{"role": "user", "content": "Hello"}]}'`})]})}var oo=[{path:"/",title:"Overview",group:"",page:vu}];var fd=12;function wu(){let[e,t]=le(""),[n,o]=le(!1),[l,i]=le(0),s=gn(null),u=pd(e.trim(),n);dd(s);let f=h=>{h&&(o(!1),t(""),s.current?.blur(),pl(h.href))},m=h=>{
if(h.key==="ArrowDown")i(Math.min(l+1,u.length-1));else if(h.key==="ArrowUp")i(Math.max(l-1,0));else if(h.key==="Enter")f(u[l]);else if(h.key==="Escape")o(!1);else
return;h.preventDefault()},g=n&&u.length>0;return d("div",{class:"search",role:"search",children:[d("input",{ref:s,role:"combobox","aria-label":"Search keys, mo\
dels, request ids","aria-expanded":g,"aria-controls":"hits","aria-autocomplete":"list","aria-activedescendant":g?`hit-${l}`:void 0,placeholder:"Search  /",autocomplete:"\
off",spellcheck:!1,value:e,onInput:h=>{t(h.currentTarget.value),o(!0),i(0)},onFocus:()=>o(!0),onBlur:()=>o(!1),onKeyDown:m}),d("ul",{id:"hits",role:"listbox","a\
ria-label":"Found",hidden:!g,children:u.map((h,b)=>d("li",{id:`hit-${b}`,role:"option","aria-selected":b===l,onMouseDown:x=>{x.preventDefault(),f(h)},children:[
d("span",{children:h.name}),d("span",{class:"muted small",children:h.kind})]},h.href))})]})}function pd(e,t){let{models:n}=Ae(),o=nt("GET /admin/v1/keys",t?{query:{
limit:1e3}}:null);if(e==="")return[];if(/^req_/.test(e))return[{kind:"request",name:e,href:_t("/requests",{request:e})}];let l=s=>s.toLowerCase().includes(e.toLowerCase()),
i=n.filter(l).map(s=>({kind:"model",name:s,href:_t("/requests",{model:s})}));for(let s of o.data?.data??[])(l(s.name)||s.id===e)&&i.push({kind:"key",name:s.name,
href:_t("/requests",{key:s.id})});return i.slice(0,fd)}function dd(e){Me(()=>{let t=n=>{let o=n.target instanceof HTMLElement&&n.target.matches("input, textarea\
, select");n.key!=="/"||o||n.ctrlKey||n.metaKey||n.altKey||(n.preventDefault(),e.current?.focus())};return addEventListener("keydown",t),()=>removeEventListener(
"keydown",t)},[])}function Rl(){return d("svg",{viewBox:"0 0 16 16",width:"20",height:"20","aria-hidden":"true",children:[d("rect",{width:"16",height:"16",rx:"3",fill:"var(--acce\
nt)"}),d("path",{d:"M3 5l2.500 6L8 5.500l2.500 5.500L13 5",fill:"none",stroke:"var(--panel)","stroke-width":"1.6","stroke-linejoin":"round","stroke-linecap":"ro\
und"})]})}function yu({onLeave:e}){let{path:t}=Xt(),[n,o]=le(!1);Me(()=>o(!1),[t]);let l=oo.find(s=>s.path===t),i=()=>{xs().finally(e)};return d(Pe,{children:[d(
"a",{class:"skip",href:"#page",children:"To the page"}),d(md,{onLeave:i}),d("div",{class:"shell",children:[d("div",{class:"bar",children:[d("a",{class:"brand",href:_t(
"/"),children:[d(Rl,{}),"Weir"]}),d("button",{class:"rest","aria-expanded":n,onClick:()=>o(!n),children:"Menu"})]}),d(hd,{shown:n,path:t,onLeave:i}),d("main",{id:"\
page",tabIndex:-1,children:l?d(l.page,{}):d(_d,{})})]})]})}function md({onLeave:e}){let{session:t,zone:n}=Ae();return t.via!=="token"?null:d("div",{class:"banne\
r",role:"note",children:[d("span",{children:["Signed in with the admin token, until ",Qt(new Date(t.expires),n),"."]}),d("button",{class:"quiet",onClick:e,children:"\
Sign out"})]})}function hd({shown:e,path:t,onLeave:n}){let{session:o}=Ae(),l=[...new Set(oo.map(i=>i.group))];return d("div",{class:e?"side shown":"side",children:[
d("a",{class:"brand",href:_t("/"),children:[d(Rl,{}),"Weir"]}),d(wu,{}),d("nav",{"aria-label":"Pages",children:l.map(i=>d("div",{children:[i!==""&&d("p",{children:i}),
oo.filter(s=>s.group===i).map(s=>d("a",{href:_t(s.path),"aria-current":s.path===t?"page":void 0,children:s.title},s.path))]},i))}),d("div",{class:"foot",children:[
d(gd,{}),o.via!=="token"&&d("button",{class:"quiet",onClick:n,children:"Sign out"})]})]})}function gd(){let[e,t]=le(hl),n=o=>{let l=Hs.find(i=>i===o)??"system";
Is(l),t(l)};return Me(()=>Po(e),[]),d(ml,{label:"Colour scheme",value:e,options:[{value:"light",label:"Light"},{value:"dark",label:"Dark"},{value:"system",label:"\
System"}],onChange:n})}function _d(){return d(Pe,{children:[d("h1",{children:"There is no such page"}),d("p",{children:d("a",{href:_t("/"),children:"Overview"})})]})}function ku({onSession:e}){let[t,n]=le(""),[o,l]=le(!1),[i,s]=le(null);return Me(()=>{document.title="Sign in · Weir"},[]),d("main",{class:"login",children:[d(
"h1",{class:"row",children:[d(Rl,{}),"Weir"]}),d("form",{onSubmit:f=>{f.preventDefault(),l(!0),_s(t.trim()).then(e,m=>s(xo(m))).finally(()=>l(!1))},children:[d(
To,{label:"Admin token",type:"password",value:t,onInput:n,required:!0,autofocus:!0,wrong:i?.message??null,hint:"It is admin.token in the config, else in the fil\
e admin.token of the data folder."}),d("div",{class:"row",children:d("button",{class:"primary",disabled:o||t.trim()==="",children:"Sign in"})})]})]})}function xd(){let[e,t]=le({is:"asking"}),n=nl(o=>{o.then(bd).then(l=>t({is:"in",known:l}),l=>{let i=xo(l);t(i.status===401?{is:"out"}:{is:"failed",error:i})})},
[]);switch(Me(()=>{let o=()=>t({is:"out"});return ol.addEventListener("ended",o),n(br()),()=>ol.removeEventListener("ended",o)},[]),e.is){case"asking":return null;case"\
out":return d(ku,{onSession:o=>n(Promise.resolve(o))});case"failed":return d("main",{class:"login",children:d(fi,{error:e.error,retry:()=>n(br())})});case"in":return d(
xr.Provider,{value:e.known,children:d(yu,{onLeave:()=>t({is:"out"})})})}}async function bd(e){let t=await ll("GET /admin/v1/config");return{session:e,zone:t.timezone,
models:t.models,providers:t.providers}}Po(hl());Ls(oo.map(e=>e.path));es(d(xd,{}),document.body);
